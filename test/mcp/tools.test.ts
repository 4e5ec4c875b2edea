import { beforeAll, describe, expect, test } from 'vitest'
import { querySql } from '../../src/read/index.js'
import { LAST } from '../e2e/support/nights.js'
import { type Connected, connected, homeWithAccounts } from './support/served.js'

let home: string
let served: Connected
beforeAll(async () => {
  home = await homeWithAccounts()
  served = await connected(home)
})

describe('what a client sees of the server', () => {
  test('tools that only read, each with a description that teaches', async () => {
    const { tools } = await served.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['query', 'describe', 'find', 'trace', 'status'])
    expect(tools.map(({ annotations }) => annotations?.readOnlyHint)).toEqual(tools.map(() => true))
    const [{ description: query = '' } = {}] = tools
    for (const taught of ['VND', 'close_adjusted', 'UTC+7', 'Null means', 'mart.foreign_flow'])
      expect(query).toContain(taught)
  })

  test('every relation that a description names exists', async () => {
    const { tools } = await served.client.listTools()
    const named = tools.flatMap(
      ({ description = '' }) => description.match(/\bmart\.[a-z_0-9]+(?![\w…])/g) ?? [],
    )
    for (const name of new Set(named))
      expect([name, (await served.call('describe', { relation: name })).isError]).toEqual([name, false])
  })

  test('instructions with the definitions, at most 6 KB', () => {
    const instructions = served.client.getInstructions() ?? ''
    expect(instructions).toContain('Accounts are off')
    expect(instructions).toContain('mart.daily_adjusted.close_adjusted')
    expect(Buffer.byteLength(instructions)).toBeLessThan(6_000)
  })

  test('resources and prompts, each of which can be read', async () => {
    const { resources } = await served.client.listResources()
    for (const { uri } of resources) {
      const { contents } = await served.client.readResource({ uri })
      const [content] = contents as { text: string }[]
      expect([
        uri,
        Buffer.byteLength(content?.text ?? '') <= 32_000,
        (content?.text ?? '').length > 100,
      ]).toEqual([uri, true, true])
    }
    const { prompts } = await served.client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual(['morning_briefing', 'explain_finding'])
    const { messages } = await served.client.getPrompt({ name: 'explain_finding', arguments: { rule: '8' } })
    expect(JSON.stringify(messages)).toContain('where rule = 8')
  })

  test('a section of the rulebook and a page of the dictionary by their names', async () => {
    const textOf = async (uri: string): Promise<string> =>
      ((await served.client.readResource({ uri })).contents as { text: string }[])[0]?.text ?? ''
    expect(await textOf('candlehouse://rulebook/price-band')).toMatch(/^## price_band\n/)
    expect(await textOf('candlehouse://dictionary/mart.daily')).toContain(
      '- close DECIMAL(18,6): Last price matched, raw.',
    )
    expect(await textOf('candlehouse://report')).toContain(`## The market on ${LAST}`)
  })
})

describe('query', () => {
  test('answers exactly what candlehouse sql --json does, with its publication', async () => {
    const sql = `select symbol, close, total_match, trading_date from market.daily_summary where trading_date = '${LAST}' order by 1`
    const { answer } = await served.call('query', { sql })
    const { columns, rows } = await querySql(home, sql)
    expect(answer).toMatchObject({ columns, rows, truncated: false, stale: null, notes: [] })
    expect(answer.publication).toMatchObject({ id: 1, latest_session: LAST })
    expect(answer.not_covered).toEqual({ range: `${LAST}..${LAST}`, gaps: 0, withheld: 0, shown: [] })
    expect(rows.length).toBeGreaterThan(3)
  })

  test('cuts at the limit, and says so', async () => {
    const { answer } = await served.call('query', { sql: 'from range(3)', limit: 2 })
    expect(answer).toMatchObject({ rows: [['0'], ['1']], truncated: true })
    expect(answer.notes[0]).toContain('only the first 2 rows')
    expect((await served.call('query', { sql: 'from range(3)', limit: 3 })).answer.truncated).toBe(false)
    const many = await served.call('query', { sql: 'from range(100000)', limit: 100_000 })
    expect(many.answer.rows).toHaveLength(500)
    expect(many.answer.truncated).toBe(true)
  })

  test('cuts long texts and long answers, and says so', async () => {
    const long = await served.call('query', { sql: "select repeat('x', 5000) as text" })
    expect(long.answer.rows[0]?.[0]).toBe(`${'x'.repeat(2_000)}… [cut]`)
    expect(long.answer.truncated).toBe(true)
    const wide = await served.call('query', { sql: "select repeat('ệ', 1900) from range(40)" })
    expect(Buffer.byteLength(wide.text)).toBeLessThan(32_000)
    expect(wide.answer).toMatchObject({ truncated: true })
  })

  test('nested values are JSON texts, and a result may have a name twice', async () => {
    const { answer } = await served.call('query', {
      sql: "select [1, 2] as a, {'b': 1} as a, 'x'::blob as b",
    })
    expect(answer.rows).toEqual([['[1,2]', '{"b":1}', 'x']])
  })

  test('what of the range is not stored is named', async () => {
    const sql = "select * from candle where timeframe = '1m' and trading_date >= '2020-01-01'"
    const { answer } = await served.call('query', { sql, limit: 1 })
    expect(answer.not_covered).toMatchObject({ range: `2020-01-01..${LAST}` })
    expect(answer.not_covered?.shown).toContain('ohlc 1m: nothing is stored before 2025-03-13')
  })

  test('a view is covered as what it is computed from', async () => {
    const sql = "select return_1 from mart.daily_return where trading_date = '2019-03-04'"
    const { answer } = await served.call('query', { sql })
    expect(answer.not_covered?.shown).toContain('securitiesSummary: nothing is stored before 2025-03-13')
  })

  test('an old publication is stale', async () => {
    const later = await connected(home, { effects: { ...(await effectsAt('2025-03-20T12:00:00Z')) } })
    const { answer } = await later.call('query', { sql: 'select 1' })
    expect(answer.stale).toContain(`the newest stored session is ${LAST}`)
  })

  test('what changes from call to call is noted', async () => {
    const { answer } = await served.call('query', { sql: 'select current_date, random()' })
    expect(answer.notes.join()).toMatch(/has another value at the next call/)
  })

  test.each([
    ['select clos from mart.daily', /Candidate bindings: "close"/],
    ['select * from mart.dayly', /Did you mean "daily"/],
    ['select * from markt.candle', /did you mean market.candle/],
    ['select x.opned_at from candle x', /Did you mean "opened_at"/],
    ['selec 1', /syntax error/],
    ['', /no statement given|give one SELECT/],
    ['select 1; select 2', /only one can be run/],
    ['  -- words alone', /no statement given/],
  ])('%j is answered with what is nearest', async (sql, words) => {
    const { isError, text } = await served.call('query', { sql })
    expect([isError, text]).toEqual([true, expect.stringMatching(words)])
  })
})

async function effectsAt(instant: string) {
  const { EVENING } = await import('./support/served.js')
  return { ...EVENING, now: () => Date.parse(instant) }
}

describe('describe and find', () => {
  test('columns with their meanings, the key, and how to trace', async () => {
    const { answer } = await served.call('describe', { relation: 'daily_summary' })
    expect(answer.rows).toContainEqual(['close', 'DECIMAL(18,6)', 'Last price matched, unadjusted.'])
    expect(answer.notes.join('\n')).toContain(
      'one row per symbol, trading_date; trace {"relation": "market.daily_summary"',
    )
  })

  test('a macro with its parameters', async () => {
    const { answer } = await served.call('describe', { relation: 'mart.universe_as_of' })
    expect(answer.notes.join('\n')).toContain('FROM mart.universe_as_of(')
  })

  test('a wrong name leads to the right one', async () => {
    const { text } = await served.call('describe', { relation: 'mart.candle' })
    expect(text).toContain('did you mean market.candle?')
  })

  test.each([
    ['foreign net buying', 'mart.foreign_flow'],
    ['adjusted close', 'mart.daily_adjusted'],
    ['new 52-week highs', 'mart.high_low_52w'],
    ['market breadth', 'mart.breadth'],
    ['put-through deals', 'mart.deal_share'],
  ])('%j is answered by %s', async (text, relation) => {
    const { answer } = await served.call('find', { text })
    expect(
      answer.rows
        .slice(0, 4)
        .map(([, name, about]) => `${name} ${about}`)
        .join('\n'),
    ).toContain(relation)
  })

  test('a security by its symbol and by its name without accents', async () => {
    const [[symbol = '', name = ''] = []] = (
      await querySql(
        home,
        'select symbol, symbol_name_vi from market.security order by length(symbol_name_vi) desc limit 1',
      )
    ).rows as string[][]
    const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('đ', 'd').replaceAll('Đ', 'D')
    for (const text of [symbol.toLowerCase(), plain.toUpperCase()])
      expect((await served.call('find', { text })).answer.rows[0]?.slice(0, 2)).toEqual(['security', symbol])
  })
})

describe('trace and status', () => {
  test('a value leads to the record as received', async () => {
    const key = { symbol: 'FPT', trading_date: LAST }
    const { answer } = await served.call('trace', { relation: 'market.daily_summary', key })
    const valueAt = (step: string, name: string): unknown =>
      answer.rows.find(([, at, named]) => at === step && named === name)?.[3]
    expect(JSON.parse(String(valueAt('record', 'text')))).toMatchObject({ symbol: 'FPT' })
    expect(valueAt('raw file', 'state')).toBe('as landed')
    expect(valueAt('page', 'sha256')).toBe(valueAt('raw file', 'sha256'))
  })

  test('a view leads to the stored rows with its key', async () => {
    const key = { symbol: 'FPT', trading_date: LAST }
    const { answer } = await served.call('trace', { relation: 'mart.daily_return', key })
    expect(answer.rows[0]?.[0]).toBe('market.daily_summary')
    expect(answer.notes[0]).toContain('mart.daily_return is computed')
  })

  test('a key without a row names the nearest', async () => {
    const key = { symbol: 'FPTT', trading_date: LAST }
    const { isError, text } = await served.call('trace', { relation: 'market.daily_summary', key })
    expect([isError, text]).toEqual([true, expect.stringContaining('FPT')])
  })

  test('the status says whether the night is good', async () => {
    const { answer } = await served.call('status')
    expect(answer.rows).toContainEqual(['publication', 'latest_session', LAST])
    expect(answer.rows).toContainEqual(['night', 'trusted', true])
  })
})

test('secrets appear in no answer', async () => {
  const careful = await connected(home, { secrets: ['FPT'] })
  const { text, answer } = await careful.call('query', { sql: "select 'FPT' as word" })
  expect(text).not.toContain('FPT')
  expect(answer.rows).toEqual([['[secret]']])
  expect((await careful.call('query', { sql: 'select FPT' })).text).not.toContain('FPT')
})

test('more calls than may wait are refused', async () => {
  const busy = await connected(home, { limits: { calls: 1 } })
  const got = await Promise.all([1, 2, 3].map((number) => busy.call('query', { sql: `select ${number}` })))
  expect(got.filter(({ isError }) => !isError).length).toBeGreaterThan(0)
  expect(got.find(({ isError }) => isError)?.text).toContain('1 calls are under way, the most at a time')
})

test('a statement that takes too long is stopped, and the next one runs', async () => {
  const hasty = await connected(home, { limits: { ms: 50 } })
  const { text } = await hasty.call('query', {
    sql: 'select count(*) from range(100000000000) a, range(1000) b',
  })
  expect(text).toMatch(/stopped after 0.05 s/)
  expect((await hasty.call('query', { sql: 'select 1' })).answer.rows).toEqual([[1]])
})
