import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../src/console/limits.js'
import type { FirstView, ResultView } from '../../src/console/result-cache.js'
import { type Effects, systemEffects } from '../../src/effects.js'
import { querySql } from '../../src/read/index.js'
import { evening } from '../support/published.js'
import { sharedHome } from '../support/shared-home.js'
import { patientEffects, type Served, serve } from './support/served.js'

const { home } = sharedHome()

const FOREVER = 'SELECT count(*) FROM range(100000000000) a, range(100000000000) b'

async function answered(console: Served, sql: string, limit?: number) {
  const reply = await console.ask('/api/sql', { body: limit === undefined ? { sql } : { sql, limit } })
  return {
    status: reply.status,
    ...reply.json<{ columns: unknown[]; rows: unknown[][]; truncated: boolean; error: string }>(),
  }
}

describe('/api/sql', () => {
  test('answers exactly what candlehouse sql --json does', async () => {
    const sql = `SELECT 0.1::DECIMAL(18,6) AS money, 9007199254740993 AS big, DATE '2025-03-14' AS day, 1.5::DOUBLE AS part,
      TIMESTAMPTZ '2025-03-14 09:15:00+07' AS at, NULL AS nothing, 'infinity'::DOUBLE AS endless, [1, 2] AS list, true AS yes`
    const { columns, rows } = await querySql(home, sql)
    expect(await answered(await serve(home), sql)).toEqual({ status: 200, columns, rows, truncated: false })
    expect(rows).toEqual([
      [
        '0.100000',
        '9007199254740993',
        '2025-03-14',
        1.5,
        '2025-03-14T02:15:00Z',
        null,
        'Infinity',
        [1, 2],
        true,
      ],
    ])
  })

  test('describes a relation with the comments of its columns', async () => {
    const { rows } = await answered(await serve(home), 'DESCRIBE candle')
    expect(rows[0]).toEqual(['symbol', 'VARCHAR', 'Symbol.'])
  })

  test('cuts at the limit, and says so', async () => {
    const console = await serve(home)
    expect(await answered(console, 'FROM range(3)', 2)).toMatchObject({
      rows: [['0'], ['1']],
      truncated: true,
    })
    expect(await answered(console, 'FROM range(3)', 3)).toMatchObject({ truncated: false })
    expect(await answered(console, 'FROM range(3)', 0)).toMatchObject({ rows: [], truncated: true })
    expect((await answered(console, 'FROM range(1000000000000)')).rows).toHaveLength(1_000)
    // The connection is free again.
    expect(await answered(console, 'SELECT 1')).toMatchObject({ rows: [[1]] })
  })

  test('has a limit of its own whatever is asked for', async () => {
    const console = await serve(home, { limits: { ...LIMITS, answerRows: 5 } })
    expect(await answered(console, 'FROM range(9)', 1_000_000)).toMatchObject({
      truncated: true,
      rows: { length: 5 },
    })
  })

  test('is cut at its length too, and a first row beyond it is refused in words', async () => {
    const console = await serve(home, { limits: { ...LIMITS, answerBytes: 100 } })
    const cut = await answered(console, "SELECT repeat('x', 40) FROM range(9)")
    expect(cut).toMatchObject({ status: 200, truncated: true, rows: { length: 2 } })
    expect(await answered(console, "SELECT repeat('x', 400)")).toMatchObject({
      status: 400,
      error: 'the first row takes more than 100 bytes, the most of an answer',
    })
    expect(await answered(console, 'SELECT 1')).toMatchObject({ rows: [[1]], truncated: false })
  })

  test.each([
    'DROP VIEW market.candle',
    'CREATE TABLE x AS SELECT 1',
    "COPY (SELECT 1) TO '/tmp/x.csv'",
    'SELECT 1; SELECT 2',
    "ATTACH '/tmp/x.duckdb'",
    'INSTALL httpfs',
    "SET memory_limit = '9GB'",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_text('https://example.com')",
    'EXPLAIN ANALYZE DELETE FROM ops.lake_file',
    'selec 1',
    '',
  ])('%j changes nothing and is refused with 400', async (sql) => {
    const { status, error } = await answered(await serve(home), sql)
    expect([status, typeof error]).toEqual([400, 'string'])
  })

  test.each([[{}], [{ sql: 1 }], [{ sql: 'select 1', limit: '5' }], [{ sql: 'select 1', limit: -1 }], [[1]]])(
    'a body of %j is refused with 400',
    async (body) => {
      expect((await (await serve(home)).ask('/api/sql', { body })).status).toBe(400)
    },
  )

  test('a body that is longer than a statement can be is refused', async () => {
    const body = { sql: `select '${'x'.repeat(1024 * 1024)}'` }
    expect((await (await serve(home)).ask('/api/sql', { body })).status).toBe(413)
  })

  test('a statement that takes too long is stopped', async () => {
    // On this clock every deadline is over at once.
    const after: Effects['after'] = (_, run) => systemEffects.after(0, run)
    const console = await serve(home, { effects: { ...evening(), after } })
    expect(await answered(console, FOREVER)).toMatchObject({ status: 400, error: /stopped after 300 s/ })
  })

  test('a statement whose client goes away is stopped: the next one runs', async () => {
    const console = await serve(home)
    const gone = new AbortController()
    const asked = console.ask('/api/sql', { body: { sql: FOREVER }, signal: gone.signal }).catch(() => 'gone')
    gone.abort()
    expect(await asked).toBe('gone')
    expect(await answered(console, 'SELECT 1')).toMatchObject({ rows: [[1]] })
  })

  test('pages are answered while a statement runs', async () => {
    const console = await serve(home)
    const gone = new AbortController()
    const asked = console.ask('/api/sql', { body: { sql: FOREVER }, signal: gone.signal }).catch(() => 'gone')
    expect((await console.ask('/api/views/symbols')).status).toBe(200)
    gone.abort()
    await asked
  })
})

describe('kept results', () => {
  async function ended(console: Served, id: number): Promise<ResultView> {
    for (;;) {
      const view = (await console.ask(`/api/results/${id}`)).json<ResultView>()
      if (view.state !== 'running') return view
    }
  }

  test('are read page by page, any rows of them', async () => {
    const console = await serve(home)
    const { id } = (
      await console.ask('/api/results', { body: { sql: 'FROM range(10000)' } })
    ).json<ResultView>()
    expect(await ended(console, id)).toMatchObject({ rows: 10_000, state: 'done', truncated: false })
    const rows = async (from: number, count: number) =>
      (await console.ask(`/api/results/${id}/rows?from=${from}&count=${count}`)).json<unknown[][]>()
    expect(await rows(2_046, 4)).toEqual([['2046'], ['2047'], ['2048'], ['2049']])
    expect(await rows(9_999, 5)).toEqual([['9999']])
    expect(await rows(10_000, 5)).toEqual([])
    expect(await rows(0, 100_000)).toHaveLength(5_000)
  })

  test('come with their first rows, and sorted by any column over all of their rows', async () => {
    const console = await serve(home)
    const sql = "SELECT range AS n, nullif(range % 7, 3) AS part, 'x' || range AS word FROM range(5000)"
    const started = (await console.ask('/api/results', { body: { sql } })).json<FirstView>()
    expect([started.head[0], started.head.length]).toEqual([['0', '0', 'x0'], 500])
    await ended(console, started.id)
    const sorted = async (sort: string, from: number, count: number) =>
      (await console.ask(`/api/results/${started.id}/rows?from=${from}&count=${count}&sort=${sort}`)).json<
        unknown[][]
      >()
    // Equal values stay in the order of the statement; 3, which is NULL here, is last either way.
    expect(await sorted('1', 0, 2)).toEqual([
      ['0', '0', 'x0'],
      ['7', '0', 'x7'],
    ])
    expect(await sorted('1&descending=true', 0, 1)).toEqual([['6', '6', 'x6']])
    expect((await sorted('1', 4_999, 5)).map(([n, part]) => [n, part])).toEqual([['4994', null]])
    expect((await sorted('1&descending=true', 4_999, 1))[0]?.[1]).toBeNull()
    expect(await sorted('2&descending=true', 0, 1)).toEqual([['999', '5', 'x999']])
    const asked = `/api/results/${started.id}/rows?from=0&count=1`
    expect((await console.ask(`${asked}&sort=3`)).status).toBe(400)
    expect((await console.ask(`${asked}&sort=c1`)).status).toBe(400)
  })

  test('have the values of /api/sql, of every type', async () => {
    const console = await serve(home)
    const sql = `SELECT 0.1::DECIMAL(18,6) AS money, 9007199254740993 AS big, DATE '2025-03-14' AS day, 1.5::DOUBLE AS part,
      TIMESTAMPTZ '2025-03-14 09:15:00.25+07' AS at, NULL AS nothing, 'nan'::DOUBLE AS nan, [1, 2] AS list, true AS yes,
      {'a': 1, 'b c': ['x']} AS fields, map {'k': 1} AS map, 'b'::ENUM ('a', 'b') AS kind, '1'::BIT AS bits, INTERVAL 1 DAY AS gap,
      '{"a":1}'::JSON AS json, uuid '00000000-0000-0000-0000-000000000001' AS id, 'x' AS x, 'y' AS x`
    const { columns, rows } = await answered(console, sql)
    const result = (await console.ask('/api/results', { body: { sql } })).json<FirstView>()
    expect(result).toMatchObject({ columns, head: rows, state: 'done' })
  })

  test('a type that cannot be stored is named, with what to write', async () => {
    const body = { sql: 'SELECT row(1, 2)' }
    expect((await (await serve(home)).ask('/api/results', { body })).json()).toMatchObject({
      state: 'failed',
      hint: expect.stringContaining("{'a': 1, 'b': 2}"),
    })
  })

  test('are cut at a number of rows, and at a size', async () => {
    const few = await serve(home, { limits: { ...LIMITS, resultRows: 3_000 } })
    const first = (await few.ask('/api/results', { body: { sql: 'FROM range(10000)' } })).json<ResultView>()
    expect(await ended(few, first.id)).toMatchObject({ rows: 3_000, truncated: true })
    const small = await serve(home, { limits: { ...LIMITS, resultBytes: 100 } })
    const second = (
      await small.ask('/api/results', { body: { sql: 'FROM range(10000)' } })
    ).json<ResultView>()
    expect(await ended(small, second.id)).toMatchObject({ rows: 2_048, truncated: true })
  })

  test('an error comes with its words', async () => {
    const console = await serve(home)
    const view = (await console.ask('/api/results', { body: { sql: 'selec 1' } })).json<ResultView>()
    expect(view).toMatchObject({ state: 'failed', error: /syntax error/i })
  })

  test('cancel stops a statement that has no rows yet', async () => {
    const console = await serve(home, { effects: patientEffects() })
    const started = console.ask('/api/results', { body: { sql: FOREVER } })
    let view: ResultView | undefined
    started.then((reply) => {
      view = reply.json()
    })
    while (!view) await console.ask('/api/results/cancel', { body: {} })
    expect(view).toMatchObject({ state: 'failed', error: 'the statement was cancelled' })
  })

  test('a statement of another page goes on, and a third waits its turn or is cancelled', async () => {
    const console = await serve(home, { effects: patientEffects() })
    const start = (sql: string, page: string) => console.ask('/api/results', { body: { sql, page } })
    const cancel = (page: string) => console.ask('/api/results/cancel', { body: { page } })
    const long = start(FOREVER, 'a')
    expect((await start('SELECT 1', 'b')).json()).toMatchObject({ state: 'done', head: [[1]] })
    const other = start(FOREVER, 'b')
    let third: FirstView | undefined
    start('SELECT 3', 'c').then((reply) => {
      third = reply.json()
    })
    while (!third) await cancel('c')
    expect(third).toMatchObject({ state: 'failed', error: 'the statement was cancelled' })
    const fourth = start('SELECT 4', 'd')
    await cancel('a')
    expect((await long).json()).toMatchObject({ state: 'failed' })
    expect((await fourth).json()).toMatchObject({ state: 'done', head: [[4]] })
    await cancel('b')
    expect((await other).json()).toMatchObject({ state: 'failed' })
  })

  test('a new statement stops the one before, and old results are forgotten', async () => {
    const console = await serve(home)
    const started = console.ask('/api/results', { body: { sql: FOREVER } })
    const views: ResultView[] = []
    for (let n = 1; n <= 5; n += 1)
      views.push((await console.ask('/api/results', { body: { sql: `SELECT ${n}` } })).json())
    expect((await started).json()).toMatchObject({ state: 'failed' })
    expect((await console.ask(`/api/results/${views[0]?.id}`)).status).toBe(404)
    expect((await console.ask(`/api/results/${views[4]?.id}`)).status).toBe(200)
  })
})

describe('downloads', () => {
  test.each([
    ['csv', 'n\n1\n'],
    ['ndjson', '{"n":1}\n'],
  ])('%s has the whole result, once', async (format, text) => {
    const console = await serve(home)
    const { id } = (await console.ask('/api/downloads', { body: { sql: 'SELECT 1 AS n', format } })).json<{
      id: number
    }>()
    const reply = await console.ask(`/api/downloads/${id}`)
    expect(reply.text).toBe(text)
    expect(reply.headers['content-disposition']).toBe(`attachment; filename="result.${format}"`)
    expect((await console.ask(`/api/downloads/${id}`)).status).toBe(404)
  })

  test('a long one says how far it is, in rows', async () => {
    const body = { sql: 'FROM range(50000)', format: 'xlsx' }
    const { text } = await (await serve(home)).ask('/api/downloads', { body })
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { rows: number; id?: number })
    expect(lines.map(({ rows }) => Math.floor(rows / 10_000))).toEqual([2, 4, 5])
    expect(lines.map(({ id }) => id)).toEqual([undefined, undefined, 1])
  })

  test('a workbook for Excel is a zip file', async () => {
    const console = await serve(home)
    const body = { sql: "SELECT '=1' AS n", format: 'xlsx' }
    const { id } = (await console.ask('/api/downloads', { body })).json<{ id: number }>()
    expect((await console.ask(`/api/downloads/${id}`)).text.slice(0, 4)).toBe('PK\u0003\u0004')
  })

  test('bad SQL is refused with 400, and a page that goes away leaves nothing behind', async () => {
    const console = await serve(home)
    const ask = (sql: string, signal?: AbortSignal) =>
      console.ask('/api/downloads', { body: { sql, format: 'csv' }, ...(signal ? { signal } : {}) })
    expect((await ask('selec 1')).status).toBe(400)
    const gone = new AbortController()
    const asked = ask(FOREVER, gone.signal).catch(() => 'gone')
    gone.abort()
    expect(await asked).toBe('gone')
    await expect.poll(() => readdirSync(console.folder).filter((name) => name.includes('csv'))).toEqual([])
  })

  test('refuses formats that do not exist', async () => {
    const console = await serve(home)
    expect((await console.ask('/api/downloads', { body: { sql: 'SELECT 1', format: '../x' } })).status).toBe(
      400,
    )
  })
})
