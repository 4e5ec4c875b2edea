import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/duckdb/open.js'
import { systemEffects } from '../../src/effects.js'
import { sha256 } from '../../src/home/sha256.js'
import { createOwnView } from '../../src/lake/own-views.js'
import { martObjects } from '../../src/mart/objects.js'
import { withCatalogAsKnown } from '../../src/read/as-known/known-catalog.js'
import { KNOWN_RELATIONS, readsOfStatement } from '../../src/read/as-known/known-relations.js'
import { type Receipt, writeReceipt } from '../../src/read/as-known/receipt.js'
import { ENGINE_NAMES } from '../../src/read/backtest/engine-names.js'
import { ENGINES } from '../../src/read/backtest/engines.js'
import { exportFor } from '../../src/read/backtest/export-for.js'
import { query } from '../../src/read/query.js'
import { temporaryFolder } from '../support/folder.js'
import { loadWalks, openTestWarehouse, type TestWalk } from '../support/landed.js'
import { LONG } from '../support/long.js'
import { ask, candleWalk, evening, filesBelow, publishTest } from '../support/published.js'
import { withdrawRows } from '../support/withdrawn.js'

const [FIRST, SECOND, THIRD] = ['2025-03-12', '2025-03-13', '2025-03-14'] as const
const EVENING = `${SECOND}T12:00:00.000Z`
const LATER = '2025-03-14T12:00:00.000Z'

interface Row {
  symbol: string
  ref: number
  close: number
}

function session(day: string, rows: readonly Row[]): TestWalk[] {
  const tradingDate = day.replaceAll('-', '/')
  const walk = (dataset: 'masterdata' | 'securitiesSummary', data: unknown[]): TestWalk => ({
    window: { dataset, key: '*', timeframe: '', from: day, to: day },
    bodies: [{ data }],
  })
  const limits = rows.map(({ symbol, ref }) => ({
    symbol,
    exchange: 'HOSE',
    tradingDate,
    refPrice: String(ref),
    ceiling: String(ref * 1.07),
    floor: String(ref * 0.93),
  }))
  const summaries = rows.map(({ symbol, close }) => ({
    symbol,
    tradingDate,
    open: String(close),
    high: String(close),
    low: String(close),
    close: String(close),
    average: String(close),
    totalMatch: '1000',
    totalMatchValue: String(close * 1_000),
  }))
  return [walk('masterdata', limits), walk('securitiesSummary', summaries)]
}

function indexValue(value: string): TestWalk {
  const data = [{ tradingDate: SECOND.replaceAll('-', '/'), indexValue: value }]
  return {
    window: { dataset: 'indexSummary', key: 'VNINDEX', timeframe: '', from: SECOND, to: SECOND },
    bodies: [{ data }],
  }
}

function members(day: string, symbols: readonly string[]): TestWalk {
  const data = symbols.map((symbol) => ({ symbol, board: 'HOSE' }))
  return {
    window: { dataset: 'indexMembers', key: 'VN30', timeframe: '', from: day, to: day },
    bodies: [{ data }],
  }
}

/** FPT is split on the second session. */
const KNOWN_THEN = [
  ...session(FIRST, [
    { symbol: 'FPT', ref: 100_000, close: 100_000 },
    { symbol: 'VNM', ref: 60_000, close: 61_000 },
  ]),
  ...session(SECOND, [
    { symbol: 'FPT', ref: 50_000, close: 51_000 },
    { symbol: 'VNM', ref: 61_000, close: 60_000 },
  ]),
  candleWalk('FPT', SECOND, ['09:15:00', '09:16:00', '14:45:00']),
  indexValue('1300.25'),
  members(SECOND, ['FPT']),
]

/** What a backtest of that evening must not see: restated closes, a symbol of before, another event, a further session. */
const POISON = [
  ...session(FIRST, [
    { symbol: 'FPT', ref: 100_000, close: 90_000 },
    { symbol: 'VNM', ref: 60_000, close: 61_000 },
    { symbol: 'NEW', ref: 10_000, close: 10_000 },
  ]),
  ...session(THIRD, [
    { symbol: 'FPT', ref: 25_500, close: 26_000 },
    { symbol: 'NEW', ref: 10_000, close: 5_000 },
  ]),
  candleWalk('FPT', SECOND, ['09:15:00', ['09:16:00', '1', '1', '1', '1', '1', '1']]),
  candleWalk('FPT', THIRD, ['09:15:00']),
  indexValue('1'),
  members(THIRD, ['NEW']),
]

const home = temporaryFolder()
/** Views of the user's own, and one as a table has it, which is of files. */
const OWN: Readonly<Record<string, string>> = {
  closes: 'SELECT symbol, close FROM market.daily_summary',
  held: "SELECT content AS symbol FROM read_text('/nowhere')",
  of_held: 'SELECT symbol FROM mine.held',
  of_events: 'SELECT max(mart.latest_session()) AS day FROM mart.adjustment_event',
}

/** Answers of the evening itself, by statement. */
const then = new Map<string, Record<string, unknown>[]>()

const statementOf = (relation: string): string =>
  relation.startsWith('market.')
    ? `SELECT * EXCLUDE (request_id) FROM ${relation} ORDER BY ALL`
    : `SELECT * FROM ${relation} ORDER BY ALL`

/** Views that rest on nothing without history. */
const VIEWS = martObjects()
  .filter(({ name, kind }) => kind === 'view' && withoutHistoryOf('mart', name).length === 0)
  .map(({ name }) => `mart.${name}`)

function withoutHistoryOf(schema: string, name: string): string[] {
  const tree = { tables: [{ schema, name }], tableFunctions: [], functions: [], columns: [], texts: [] }
  return [...readsOfStatement(tree, new Map()).withoutHistory.keys()]
}

const ASKED = (
  LONG ? [...KNOWN_RELATIONS, ...VIEWS] : ['market.candle', 'market.index_member', 'mart.daily_adjusted']
).map(statementOf)

const NEVER = new AbortController().signal

/** What engines are given: of an index, whose members changed since, and of everybody. */
const FOLDERS = ENGINE_NAMES.flatMap((engine) => [
  { engine, universe: 'VN30', timeframe: '1d' as const },
  { engine, universe: 'all', timeframe: '1m' as const },
]).filter(({ engine, timeframe }) => ENGINES[engine].timeframes.includes(timeframe))

const foldersThen: Record<string, string>[] = []

/** Every file of an export by its name, hashed; what the manifest says of who was exported. */
async function folderOf(
  asked: (typeof FOLDERS)[number],
  asKnownOn?: string,
): Promise<Record<string, string>> {
  const out = join(temporaryFolder(), 'out')
  const progress = { symbol: () => undefined, note: () => undefined, signal: NEVER }
  const manifest = await exportFor(home, { ...asked, out, asKnownOn }, progress, evening())
  expect(manifest.as_known_on).toBe(asKnownOn)
  const { first_session, last_session, instruments, delisted } = manifest
  const names = filesBelow(out).filter((name) => name !== 'manifest.json')
  const files = Object.fromEntries(names.map((name) => [name, sha256(readFileSync(join(out, name)))]))
  return { ...files, held: JSON.stringify({ first_session, last_session, instruments, delisted }) }
}

beforeAll(async () => {
  const warehouse = await openTestWarehouse(home)
  await loadWalks(warehouse, home, KNOWN_THEN, { receivedAt: EVENING })
  await publishTest(warehouse, home)
  for (const sql of [...ASKED, 'SELECT mart.latest_session() AS day']) then.set(sql, await ask(home, sql))
  for (const asked of FOLDERS) foldersThen.push(await folderOf(asked))
  copyFileSync(join(home, 'catalog.duckdb'), join(home, 'of-then.duckdb'))
  await loadWalks(warehouse, home, POISON, { receivedAt: LATER })
  await withdrawRows(warehouse, [{ dataset: 'securitiesSummary', symbol: 'VNM', day: SECOND }], LATER)
  await publishTest(warehouse, home)
  warehouse.close()
  const file = join(home, 'catalog.duckdb')
  chmodSync(file, 0o644)
  using catalog = await openDatabase(file)
  await catalog.run('CREATE SCHEMA mine')
  for (const [name, sql] of Object.entries(OWN)) await createOwnView(catalog, { name, sql })
})

async function asKnown(sql: string, instant = EVENING): Promise<Record<string, unknown>[]> {
  return await withCatalogAsKnown(
    home,
    [sql],
    instant,
    async ({ reader }) => {
      const { columns, rows } = await query(reader, sql)
      return rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at]])))
    },
    {},
    systemEffects,
  )
}

describe('the catalog as it was known on an evening', () => {
  test('answers every relation with a history as it did then, whatever came later', async () => {
    for (const [sql, rows] of then) {
      expect([sql, await asKnown(sql)]).toEqual([sql, rows])
      if (!/security |corporate_action/.test(sql)) expect(rows.length, sql).toBeGreaterThan(0)
    }
    const adjusted = statementOf('mart.daily_adjusted')
    expect(await ask(home, adjusted)).not.toEqual(then.get(adjusted))
  })

  test('with names left out, in a CTE, below a subquery and through a view of the package', async () => {
    const sql = `WITH daily_summary2 AS (SELECT symbol, close FROM daily_summary)
      SELECT sum(close) AS closes, (SELECT count(*) FROM mart.daily) AS days FROM daily_summary2`
    expect(await asKnown(sql)).toEqual([{ closes: '272000.000000', days: '4' }])
  })

  test('before anything was known there is nothing, and now is now', async () => {
    const sql = 'SELECT count(*)::INTEGER AS n FROM market.daily_summary'
    expect(await asKnown(sql, `${FIRST}T00:00:00+07:00`)).toEqual([{ n: 0 }])
    expect(await asKnown(sql, '2025-03-15T00:00:00+07:00')).toEqual(await ask(home, sql))
  })

  test.each([
    ['FROM ops.run', 'ops.run has no history'],
    ['FROM mart.daily_factor', 'which mart.daily_factor rests on, has no history'],
    ['FROM account.snapshot', 'account.snapshot has no history'],
    [
      "SELECT * FROM mart.security_as_known_on('2025-03-14') JOIN ops.coverage ON true",
      'ops.coverage has no history',
    ],
    ['WITH revision AS (FROM revision) FROM revision', 'market.revision has no history'],
    ['SELECT (WITH run AS (SELECT 1) FROM run), (SELECT count(*) FROM run)', 'ops.run has no history'],
    ["FROM mart.indicators('market.revision')", 'market.revision has no history'],
    ["FROM mart.indicators(bars := 'market.' || 'revision')", 'is given a name that is not a plain text'],
    ["FROM mart.indicators('stored.daily_summary')", 'stored.daily_summary is not a relation of the catalog'],
    ['FROM stored.daily_summary', 'stored.daily_summary is not a relation of the catalog'],
    ['FROM "as-known".market.revision', 'as-known.market.revision is not a relation of the catalog'],
    ["FROM query_table('ops.run')", 'function query_table is not allowed'],
    [`FROM '${home}/lake/**/*.parquet'`, 'is not a relation of the catalog: files and other databases'],
    [`FROM read_parquet('${home}/lake/**/*.parquet')`, 'function read_parquet is not allowed'],
    ['FROM mine.held', 'mine.held has no history'],
    ['FROM mine.of_held', 'mine.held, which mine.of_held rests on, has no history'],
  ])('%s is refused with the name of what has none', async (sql, message) => {
    await expect(asKnown(sql)).rejects.toThrow(message)
  })

  test('of a table of the user it says what would answer', async () => {
    await expect(asKnown('FROM mine.held')).rejects.toMatchObject({
      hint: expect.stringContaining('a view with the statement of the table answers as of then'),
    })
  })

  test('a CTE with the name of a relation is not the relation', async () => {
    expect(await asKnown('WITH revision AS (SELECT 1 AS n) FROM revision')).toEqual([{ n: 1 }])
    const counting = 'SELECT 1 AS n UNION ALL SELECT n + 1 FROM run WHERE n < 3'
    const sql = `WITH RECURSIVE run AS (${counting}) SELECT max(n) AS n FROM run`
    expect(await asKnown(sql)).toEqual([{ n: 3 }])
  })

  test('a view of the user is of then, as what it reads', async () => {
    const sql = 'SELECT count(*)::INTEGER AS n FROM mine.closes'
    expect(await asKnown(sql)).toEqual([{ n: 4 }])
    expect(await ask(home, sql)).toEqual([{ n: 6 }])
    expect(await asKnown('FROM mine.of_events')).toEqual([{ day: SECOND }])
  })

  test('says where an instant lies before everything, and where it is still to come', async () => {
    const notesAt = async (instant: string) =>
      await withCatalogAsKnown(home, ['SELECT 1'], instant, async ({ notes }) => notes, {}, systemEffects)
    expect(await notesAt('2025-07-01T00:00:00+07:00')).toEqual([])
    expect(await notesAt(EVENING)).toEqual([expect.stringContaining('is before the first publication')])
    expect(await notesAt('9999-12-31T00:00:00+07:00')).toEqual([expect.stringContaining('is still to come')])
  })

  test('writes nothing beside the catalog, and leaves no file', async () => {
    await expect(asKnown('SELECT error(symbol) FROM market.daily_summary')).rejects.toThrow()
    await expect(asKnown("COPY market.daily_summary TO '/tmp/x.csv'")).rejects.toThrow()
    expect(readFileSync(join(home, 'catalog.duckdb')).length).toBeGreaterThan(0)
  })
})

test('an export for an engine is that of the evening, byte for byte, whatever came later', async () => {
  for (const [at, asked] of FOLDERS.entries()) {
    const then = foldersThen[at]
    expect([asked, await folderOf(asked, EVENING)]).toEqual([asked, then])
    expect([asked, await folderOf(asked)]).not.toEqual([asked, then])
    expect(Object.keys(then ?? {}).length, asked.engine).toBeGreaterThan(2)
  }
})

test('an export for an engine has a receipt of all that it read, and before everything it is refused', async () => {
  const out = join(temporaryFolder(), 'out')
  const notes: string[] = []
  const progress = { symbol: () => undefined, note: (words: string) => notes.push(words), signal: NEVER }
  const request = { engine: 'qlib', out, timeframe: '1d', universe: 'all' } as const
  const receipt = join(temporaryFolder(), 'receipt.json')
  await exportFor(home, { ...request, asKnownOn: EVENING, receipt }, progress, evening())
  const written = JSON.parse(readFileSync(receipt, 'utf8')) as Receipt
  expect(written.relations.map(({ relation }) => relation)).toEqual([...KNOWN_RELATIONS])
  expect(notes).toEqual(written.warnings)
  const early = exportFor(home, { ...request, asKnownOn: `${FIRST}T00:00:00Z` }, progress, evening())
  await expect(early).rejects.toThrow(`no daily summary is stored as known on ${FIRST}T00:00:00Z`)
})

test('a receipt that cannot be written is refused before anything is exported', async () => {
  const folder = temporaryFolder()
  const out = join(folder, 'out')
  const progress = { symbol: () => undefined, note: () => undefined, signal: NEVER }
  for (const [receipt, wrong] of [
    [out, `${out} is what --out writes`],
    [join(folder, 'gone/receipt.json'), `${join(folder, 'gone')} does not exist`],
    [folder, `${folder} is not a file`],
    ['/dev/null', '/dev/null is not a file'],
  ] as const) {
    const request = {
      engine: 'qlib',
      out,
      timeframe: '1d',
      universe: 'all',
      asKnownOn: EVENING,
      receipt,
    } as const
    await expect(exportFor(home, request, progress, evening())).rejects.toThrow(
      `no receipt can be written: ${wrong}`,
    )
    expect(filesBelow(folder)).toEqual([])
  }
})

test('a receipt says what was known, what came later, and of whom no row is', async () => {
  const sql = 'SELECT * FROM mart.daily_adjusted'
  const file = join(temporaryFolder(), 'receipt.json')
  await withCatalogAsKnown(
    home,
    [sql],
    EVENING,
    async (catalog) => await writeReceipt(catalog, file, { sql, instant: EVENING }, evening()),
    {},
    systemEffects,
  )
  const receipt = JSON.parse(readFileSync(file, 'utf8')) as Receipt
  const [summaries] = receipt.relations.filter(({ relation }) => relation === 'market.daily_summary')
  expect(summaries).toMatchObject({ first_session: FIRST, survivorship: { first_listed: FIRST } })
  expect(receipt).toMatchObject({ as_known_on: EVENING, statement: sql, publication: 2 })
  expect(receipt.through).toContain('mart.adjustment_factor')
  // NEW with two sessions, FPT with a further one and a restated one; VNM's was withdrawn.
  expect([summaries?.known, summaries?.later, summaries?.revised]).toEqual(['2', '4', '2'])
  // Events are computed from these, whatever the statement names.
  expect(receipt.relations.map(({ relation }) => relation)).toEqual([
    'market.daily_summary',
    'market.price_limit',
    'market.corporate_action',
  ])
  expect(receipt.warnings).toEqual([
    expect.stringContaining('is before the first publication'),
    expect.stringContaining('whether a session is complete counts as it does now'),
  ])
})

test('a receipt is of the publication that was read, not of one that came meanwhile', async () => {
  const sql = 'SELECT * FROM market.daily_summary'
  const file = join(temporaryFolder(), 'receipt.json')
  const catalog = join(home, 'catalog.duckdb')
  const now = readFileSync(catalog)
  const receipt = await withCatalogAsKnown(
    home,
    [sql],
    EVENING,
    async (known) => {
      copyFileSync(join(home, 'of-then.duckdb'), catalog)
      return await writeReceipt(known, file, { sql, instant: EVENING }, evening())
    },
    {},
    systemEffects,
  ).finally(() => writeFileSync(catalog, now))
  expect(receipt.publication).toBe(2)
})
