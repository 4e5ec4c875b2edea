import { chmodSync, copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AccountsAnswer } from '../../src/console/account-page.js'
import { openDatabase } from '../../src/duckdb/open.js'
import type { Explanation } from '../../src/read/explain/index.js'
import { temporaryFolder } from '../support/folder.js'
import {
  type AccountHome,
  accountHome,
  CASH_ACCOUNT,
  correctBalance,
  MARGIN_ACCOUNT,
  SESSIONS,
} from './support/account-home.js'
import { type Served, serve } from './support/served.js'

type Row = Record<string, unknown>
type Answer = AccountsAnswer<Row, Explanation>

const [FIRST, SECOND, LAST] = SESSIONS

let given: AccountHome
let console: Served
beforeAll(async () => {
  given = await accountHome()
  console = await serve(given.home)
})

async function answerTo(query: string, from: Served = console): Promise<Answer> {
  const reply = await from.ask(`/api/accounts?${query}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.json<Answer>()
}

const of = (rows: readonly Row[], account: string): Row | undefined =>
  rows.find(({ account_no }) => account_no === account)

describe('one answer', () => {
  test('has the total, every account, and the reason where it is not reconciled', async () => {
    const answer = await answerTo('')
    expect(answer.account).toBe('ALL')
    expect(answer.accounts.map(({ account_no }) => account_no)).toEqual([CASH_ACCOUNT, MARGIN_ACCOUNT])
    // 10,000,000 + 10,723,125 + 500 × 21,500, and 3,000,000 − 6,000,000 + 1,000 × 10,200
    expect(of(answer.known, CASH_ACCOUNT)).toMatchObject({ trading_date: LAST, equity: 31_473_125, flow: 0 })
    expect(of(answer.known, MARGIN_ACCOUNT)).toMatchObject({ equity: 7_200_000, flow: null })
    expect(of(answer.known, 'ALL')).toMatchObject({ equity: 38_673_125, change: 2_573_125, flow: null })
    const reason = `${MARGIN_ACCOUNT}: unreconciled: 2000000 VND; total_equity does not confirm it`
    expect(of(answer.latest, 'ALL')?.reason).toBe(reason)
    expect(answer.growth.map(({ trading_date }) => trading_date)).toEqual(SESSIONS)
    expect(answer.growth.at(-1)).toMatchObject({ time_weighted: null, reason: `${LAST}: ${reason}` })
    expect(answer.first).toBe(FIRST)
    const positions = answer.tables.account_positions ?? []
    expect(positions.map(({ symbol, day_gain }) => [symbol, day_gain])).toEqual([
      ['FPT', 500_000],
      ['VNM', 100_000],
    ])
    expect(answer.margins.map(({ account_no, action_after }) => [account_no, action_after])).toEqual([
      [MARGIN_ACCOUNT, 'CALL'],
    ])
  })

  test('of an account and a period has its return beside the benchmark', async () => {
    const answer = await answerTo(`account=${CASH_ACCOUNT}&since=${SECOND}&benchmark=VNM`)
    expect(answer.growth.map(({ trading_date }) => trading_date)).toEqual([SECOND, LAST])
    const last = answer.growth.at(-1)
    // 473,125 of 31,000,000; 1,020 of 1,010; 10,200 of 10,100
    expect(last?.time_weighted).toBeCloseTo(473_125 / 31_000_000, 12)
    expect(last?.vnindex_return).toBeCloseTo(10 / 1_010, 12)
    expect(last?.benchmark_return).toBeCloseTo(100 / 10_100, 12)
    expect(answer.margins).toEqual([])
    expect(
      answer.tables.account_forecast?.map(({ step, amount, balance }) => [step, amount, balance]),
    ).toEqual([
      ['now', 0, 10_000_000],
      ['t0', 0, 10_000_000],
      ['t1', 0, 10_000_000],
      ['t2', 10_723_125, 20_723_125],
      ['dividends', 0, 20_723_125],
    ])
  })

  test('of a tab has the tables of that tab alone', async () => {
    const orders = await answerTo(`account=${CASH_ACCOUNT}&tab=orders`)
    expect(orders.tables.account_conditional).toMatchObject([
      { fco_id: 'F2025031400001', is_waiting: true, stop_price: '20425.000000', close: '21500.000000' },
    ])
    expect(orders.tables.account_orders?.length).toBe(1)
    expect(orders.tables.account_positions).toBeUndefined()
    const sessions = await answerTo(`account=${CASH_ACCOUNT}&tab=sessions`)
    expect(sessions.sessions?.map(({ trading_date, net_cash }) => [trading_date, net_cash])).toEqual([
      [FIRST, 10_000_000],
      [SECOND, 10_000_000],
      [LAST, 20_723_125],
    ])
    const { reconciliation } = await answerTo(`account=${MARGIN_ACCOUNT}&tab=reconciliation`)
    expect(reconciliation?.shares).toMatchObject([{ symbol: 'VNM', residual: '0' }])
    expect(reconciliation?.explanation).toMatchObject({ account: MARGIN_ACCOUNT, snapshots: 3 })
    expect((await answerTo('tab=reconciliation')).reconciliation).toBeUndefined()
  })

  test.each(["x'; DROP VIEW mart.account_return; --", '$account', '../..', 'ALL'])(
    'an account or a benchmark named %j is a name',
    async (name) => {
      const answer = await answerTo(`${new URLSearchParams({ account: name, benchmark: name })}`)
      expect(answer.account).toBe('ALL')
      expect(answer.growth.length).toBe(SESSIONS.length)
    },
  )

  test.each([
    ['since=2025-02-30', '2025-02-30 is not a day'],
    ['tab=no', 'there is no tab no'],
  ])('%s is refused', async (query, error) => {
    const reply = await console.ask(`/api/accounts?${query}`)
    expect([reply.status, reply.json()]).toMatchObject([400, { error }])
  })
})

test('an answer is of one publication, and of the latest, whatever was asked before', async () => {
  const served = await serve(given.home)
  const before = await answerTo('', served)
  const asked = answerTo(`account=${CASH_ACCOUNT}`, served)
  await correctBalance(given, 12_000_000)
  const [early, late] = [await asked, await answerTo(`account=${CASH_ACCOUNT}`, served)]
  for (const answer of [early, late]) {
    // Cash, equity and the forecast are of different statements.
    const now = Number(answer.tables.account_forecast?.[0]?.balance)
    expect(of(answer.known, CASH_ACCOUNT)?.equity).toBe(now + 10_723_125 + 500 * 21_500)
    expect(answer.growth.at(-1)?.equity).toBe(of(answer.known, CASH_ACCOUNT)?.equity)
  }
  expect(late.tables.account_forecast?.[0]?.balance).toBe(12_000_000)
  expect(late.publication?.id).toBeGreaterThan(before.publication?.id ?? 0)
  // As the other tests have it.
  await correctBalance(given, 10_000_000)
})

test('a catalog of an earlier version is named as that, with what to run', async () => {
  const catalog = join(given.home, 'catalog.duckdb')
  const [whole, earlier] = [join(given.home, 'whole.duckdb'), join(given.home, 'earlier.duckdb')]
  copyFileSync(catalog, earlier)
  chmodSync(earlier, 0o600)
  const opened = await openDatabase(earlier)
  await opened.run('DROP VIEW mart.dividend_expected')
  await opened.close()
  renameSync(catalog, whole)
  renameSync(earlier, catalog)
  const reply = await (await serve(given.home)).ask('/api/accounts')
  renameSync(whole, catalog)
  expect([reply.status, reply.json()]).toEqual([
    503,
    {
      error: 'an earlier version published the catalog: it has no mart.dividend_expected',
      hint: 'candlehouse publish',
    },
  ])
})

test('before the first publication the page says what to run', async () => {
  const reply = await (await serve(temporaryFolder())).ask('/api/accounts')
  expect([reply.status, reply.json()]).toMatchObject([503, { hint: 'run candlehouse nightly' }])
})
