import { beforeAll, expect, test } from 'vitest'
import { packagedPage, recipes } from '../../src/mcp/packaged-docs.js'
import { FIRST, LAST } from '../e2e/support/nights.js'
import { LONG } from '../support/long.js'
import { type Connected, connected, homeWithAccounts } from './support/served.js'

let served: Connected
beforeAll(async () => {
  served = await connected(await homeWithAccounts())
})

/** In short one in six. What each statement answers is proven by test/recorded/recorded and test/trust/sessions. */
const asked = recipes().filter((_, index) => LONG || index % 6 === 0)

test('the answers of the cookbook, run again by their hashes, equal themselves', async () => {
  const answered: string[] = []
  for (const { question, sql } of asked) {
    const first = await served.call('query', { sql, limit: 200 })
    if (first.isError) {
      expect([question, first.text]).toEqual([question, expect.stringContaining('accounts are off')])
      continue
    }
    const again = await served.call('query', { statement_hash: first.answer.statement_hash })
    expect([question, again.answer]).toEqual([question, first.answer])
    answered.push(question)
  }
  expect(answered.length).toBeGreaterThanOrEqual(asked.length * 0.4)
  expect(packagedPage('cookbook.md')).toContain(answered[0])
})

/** Statements whose rows carry a key: how far each of their numbers can be traced. */
const STORED: readonly [
  relation: string,
  key: readonly string[],
  numbers: readonly string[],
  where: string,
][] = [
  [
    'market.daily_summary',
    ['symbol', 'trading_date'],
    ['open', 'high', 'low', 'close', 'average', 'total_match', 'total_match_value'],
    `trading_date = '${LAST}'`,
  ],
  [
    'market.daily_summary',
    ['symbol', 'trading_date'],
    ['total_foreign_buy', 'total_foreign_sell', 'remain_foreign_room'],
    `trading_date = '${FIRST}'`,
  ],
  [
    'market.price_limit',
    ['symbol', 'trading_date'],
    ['ceiling', 'floor', 'ref_price'],
    `trading_date = '${LAST}'`,
  ],
  [
    'market.index_summary',
    ['index_code', 'trading_date'],
    ['index_value', 'index_change'],
    `trading_date = '${LAST}'`,
  ],
  ['market.security', ['symbol'], ['lot_size', 'listed_share'], 'true'],
]

/** Views with the key of a session: their rows lead to the stored rows that they are computed from. */
const VIEWS: readonly [view: string, numbers: readonly string[]][] = [
  ['mart.daily', ['close', 'ref_price', 'total_match_value']],
  ['mart.daily_adjusted', ['close_adjusted', 'adjustment_factor']],
  ['mart.daily_return', ['return_1', 'close']],
  ['mart.foreign_flow', ['net_value']],
  ['mart.gap_open', ['gap']],
  ['mart.vwap', ['vwap', 'average']],
  ['mart.overnight_return', ['overnight_return']],
]

/** Answers without a row to trace. */
const AGGREGATES: readonly string[] = [
  `select sum(total_match_value) from market.daily_summary where trading_date = '${LAST}'`,
  'select board, count(*) from market.security group by 1',
  `select avg(return_1) from mart.daily_return where trading_date = '${LAST}'`,
]

test('each number of stored rows is in the record that the trace leads to', async () => {
  let traced = 0
  for (const [relation, key, numbers, where] of STORED) {
    const sql = `select ${[...key, ...numbers].join(', ')} from ${relation} where ${where} order by all`
    const { answer } = await served.call('query', { sql, limit: LONG ? 20 : 4 })
    expect([relation, answer.rows.length > 0]).toEqual([relation, true])
    for (const row of answer.rows) {
      const facts = await traceOf(relation, key, row)
      const record = numbersIn(facts.find(([, step, name]) => step === 'record' && name === 'text')?.[3])
      for (const [index, number] of numbers.entries()) {
        const value = row[key.length + index]
        if (value === null) continue
        expect([relation, row[0], number, record.has(Number(value))]).toEqual([
          relation,
          row[0],
          number,
          true,
        ])
        expect(facts).toContainEqual([relation, 'row', number, value])
        traced += 1
      }
    }
  }
  expect(traced).toBeGreaterThan(50)
})

test('each row of a view leads to records', async () => {
  for (const [view, numbers] of VIEWS) {
    const sql = `select symbol, trading_date, ${numbers.join(', ')} from ${view} where trading_date = '${LAST}' order by all`
    const { answer } = await served.call('query', { sql, limit: LONG ? 5 : 1 })
    expect([view, answer.rows.length > 0]).toEqual([view, true])
    for (const row of answer.rows) {
      const facts = await traceOf(view, ['symbol', 'trading_date'], row)
      const records = facts.filter(([, step, name]) => step === 'record' && name === 'text')
      expect([view, row[0], records.some(([, , , text]) => String(text).includes(`"${row[0]}"`))]).toEqual([
        view,
        row[0],
        true,
      ])
    }
  }
})

test('an aggregate is run again too, and has no record of its own', async () => {
  for (const sql of AGGREGATES) {
    const { answer } = await served.call('query', { sql })
    expect((await served.call('query', { statement_hash: answer.statement_hash })).answer).toEqual(answer)
  }
  const { isError, text } = await served.call('trace', { relation: 'mart.breadth', key: { board: 'HOSE' } })
  expect([isError, text]).toEqual([true, expect.stringContaining('mart.breadth is a view, computed from')])
})

test('an aggregate names the rows that it was computed from, which give the same numbers and lead to records', async () => {
  const sums = `select trading_date, sum(total_match) as shares, count(*) as symbols from market.daily_summary
    where trading_date = '${LAST}' group by trading_date having count(*) > 0 order by 1 limit 5`
  const { answer } = await served.call('query', { sql: sums })
  const { statement_hash: hash, sql } = answer.rows_behind ?? {}
  const behind = (await served.call('query', { statement_hash: hash })).answer
  expect(behind.rows_behind).toBeUndefined()
  const all = (await served.call('query', { sql, limit: 500 })).answer
  const place = all.columns.findIndex(({ name }) => name === 'total_match')
  const [[, shares, symbols] = []] = answer.rows
  expect([
    String(all.rows.reduce((sum, row) => sum + Number(row[place]), 0)),
    String(all.rows.length),
  ]).toEqual([String(shares), String(symbols)])
  for (const row of behind.rows.slice(0, 5)) {
    const facts = await traceOf('market.daily_summary', ['symbol', 'trading_date'], row)
    const record = facts.find(([, step, name]) => step === 'record' && name === 'text')?.[3]
    expect(numbersIn(record)).toContain(Number(row[place]))
  }
})

test.each([
  ['select avg(return_1) from mart.daily_return', 'SELECT * FROM mart.daily_return'],
  [
    "with t as (from market.security where board = 'HOSE') select board, count(*) from t group by all",
    /SELECT \* FROM t/,
  ],
  ['select symbol from market.security', undefined],
  ['select symbol, count(*) over () from market.security', undefined],
  ['select (select count(*) from market.security) as n', undefined],
  ['select 1 union all select count(*) from market.security', undefined],
  ['select count(*) from market.candle where volume < 9007199254740993', undefined],
  ['select count(*) from market.candle where volume < 0.1', /volume < 0\.1/],
  ['describe mart.daily', undefined],
  ['show tables', undefined],
])('%s: the rows behind it are those of %s', async (sql, expected) => {
  const { answer } = await served.call('query', { sql })
  const behind = answer.rows_behind?.sql
  if (expected === undefined) expect(behind).toBeUndefined()
  else expect(behind).toMatch(expected)
})

test('the calls of other tools are run again by their hashes too', async () => {
  for (const [name, given] of [
    ['describe', { relation: 'mart.daily' }],
    ['find', { text: 'breadth' }],
    ['trace', { relation: 'market.security', key: { symbol: 'FPT' } }],
    ['status', {}],
  ] as const) {
    const { answer } = await served.call(name, given)
    expect((await served.call('query', { statement_hash: answer.statement_hash })).answer).toEqual(answer)
  }
  const { text } = await served.call('query', { statement_hash: 'ffffffffffffffff' })
  expect(text).toContain('no answer of this session has the hash ffffffffffffffff')
})

async function traceOf(relation: string, key: readonly string[], row: readonly unknown[]) {
  const named = Object.fromEntries(key.map((column, index) => [column, String(row[index])]))
  const { isError, text, answer } = await served.call('trace', { relation, key: named })
  if (isError) throw new Error(text)
  return answer.rows
}

/** Numbers of a record, whether the service writes them as numbers or as texts. */
function numbersIn(record: unknown): ReadonlySet<number> {
  const values = Object.values(JSON.parse(String(record)) as Record<string, unknown>)
  return new Set(
    values
      .filter((value) => value !== '' && value !== null)
      .map((value) => Number(String(value).replaceAll(',', ''))),
  )
}
