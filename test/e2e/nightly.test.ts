import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  buildMarket,
  DELISTED,
  NEVER_TRADED,
  ODD_SYMBOLS,
  type StandIn,
  startStandIn,
} from '../standin/index.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli, type Environment } from '../support/program.js'
import { towards } from './support/cli.js'
import { hashes } from './support/hashes.js'
import { expectTruth } from './support/truth.js'

/** 1 January 2025 is a holiday in the calendar, on which this market trades; 31 December 2024 is a session, which it leaves out. */
const WEEK = ['2024-12-27', '2024-12-30', '2025-01-01', '2025-01-02', '2025-01-03']
const LEFT_OUT = '2024-12-31'
const NEXT = '2025-01-06'
const [FRIDAY = ''] = WEEK.slice(-1)

/** One home, night after night: each test goes on where the one before it ended. */
describe('a week and the day after it', () => {
  let standIn: StandIn
  let cwd: string
  let env: Environment
  const friday = ['nightly', '--date', FRIDAY, '--json']

  beforeAll(async () => {
    const market = buildMarket({ sessions: [...WEEK, NEXT], extraSymbols: ODD_SYMBOLS })
    standIn = await startStandIn({ market, today: FRIDAY })
    cwd = temporaryFolder()
    env = towards(standIn, { BROKER_BASE_URL: `${standIn.url}/` })
  })
  afterAll(async () => await standIn.close())

  test('stores what the service has, to the last digit, odd names included, and a day that the calendar believes closed', async () => {
    const ran = await cli(friday, { cwd, env })
    expect(ran.stderr).not.toContain('warning')
    expect(ran.code).toBe(0)
    expect(ran.json()).toMatchObject({ job: 'nightly', tradingDate: FRIDAY, exitCode: 0 })
    await expectTruth(standIn, cwd, { sessions: WEEK })
  })

  test('requests candles only of symbols that traded', () => {
    expect(standIn.count('/data/ohlc', { symbol: NEVER_TRADED })).toBe(0)
    const fetched = (query: object = {}): number => standIn.count('/data/ohlc', { ...query, timeFrame: '1m' })
    expect(fetched({ symbol: DELISTED })).toBe(1)
    const traded = standIn.market.seeds.filter((seed) => seed.trades !== false).length
    expect(fetched()).toBe(traded)
    // Cross-checks of the derived timeframes, daily bars among them: a few symbols a session.
    const crossChecks = standIn.count('/data/ohlc') - fetched()
    expect(crossChecks).toBeGreaterThan(0)
    expect(crossChecks).toBeLessThanOrEqual(WEEK.length * 8)
    expect(standIn.count('/data/securitiesSummary')).toBe(1)
    expect(standIn.count('/data/masterdata')).toBe(1)
    expect(standIn.count('/data/securitiesByBoard')).toBe(3 + standIn.market.indexes.length)
    const days = [...WEEK, LEFT_OUT]
    expect(standIn.count('/data/indexSummary')).toBe(standIn.market.indexes.length * days.length)
    expect(standIn.count('/auth/token')).toBe(1)
  })

  test('the same day again requests what plan shows, no candles, nothing of a session without data, and changes no row, arrival included', async () => {
    const rows = await everything(cwd)
    const before = standIn.requests.length
    const plan = await cli(['plan', '--date', FRIDAY, '--json', '--skip-accounts'], { cwd, env })
    const dry = await cli([...friday, '--dry-run', '--skip-accounts'], { cwd, env })
    expect(dry.json()).toEqual(plan.json())
    expect(standIn.requests.length).toBe(before)
    const again = await cli(friday, { cwd, env })
    const sent = standIn.requests.slice(before).filter((request) => request.path.includes('/data/'))
    expect(plan.json()).toMatchObject({ pages: sent.length })
    expect(again.code).toBe(0)
    const asked = standIn.requests.slice(before).map((request) => request.path)
    expect(asked.filter((path) => path.endsWith('/ohlc'))).toEqual([])
    const daysAsked = standIn.requests.slice(before).map(({ query }) => query.tradingDate)
    expect(daysAsked).not.toContain(LEFT_OUT.replaceAll('-', '/'))
    // Token, boards, indexes and their members, summaries, limits, index days.
    expect(asked.length).toBe(1 + 3 + 1 + 4 + 1 + 1 + 4 * WEEK.length)
    const { datasets } = again.json<{ datasets: { dataset: string; changed: number }[] }>()
    expect(datasets.filter((each) => each.changed > 0)).toEqual([])
    expect(await everything(cwd)).toEqual(rows)
  })

  test('the next date requests candles of one session, and daily datasets for their window; a restated day is fetched again, updated, and its old values become revisions', async () => {
    const restated = '2025-01-02'
    standIn.market.restate('FPT', restated, { totalMatch: '1234500', totalMatchValue: '148140000000' })
    standIn.setOptions({ today: NEXT })
    const before = standIn.requests.length
    expect((await cli(['nightly', '--date', NEXT], { cwd, env })).code).toBe(0)
    const asked = standIn.requests.slice(before)
    const candles = asked
      .filter((request) => request.path.endsWith('/ohlc') && request.query.timeFrame === '1m')
      .map(({ query }) => [query.symbol, query.from?.slice(0, 10), query.to?.slice(0, 10)])
    const traded = standIn.market.seeds.filter((seed) => seed.trades !== false && seed.listed !== false)
    const [day, next] = [restated, NEXT].map((date) => date.replaceAll('-', '/'))
    // Both sessions of FPT in one request.
    expect(candles.sort()).toEqual(
      traded.map(({ symbol }) => [symbol, symbol === 'FPT' ? day : next, next]).sort(),
    )
    const summary = asked.find((request) => request.path.endsWith('/securitiesSummary'))
    expect(summary?.query).toMatchObject({ from: '2024/12/30', to: next })
    await expectTruth(standIn, cwd, { sessions: [...WEEK, NEXT] })
    const revised = await cli(
      [
        'sql',
        '--json',
        `select "column", old, new from market.revision where relation = 'market.daily_summary' and key like '%FPT%' order by 1`,
      ],
      { cwd },
    )
    expect(revised.json<{ column: string }[]>().map((row) => row.column)).toEqual([
      'total_match',
      'total_match_value',
    ])
  })

  // In short: of two nights, one with a restated day, test/e2e/raw.test.ts.
  test.runIf(LONG)(
    'everything but raw/ deleted: replay and publish reproduce every hash without network',
    async () => {
      const before = await hashes(cwd)
      const requests = standIn.requests.length
      for (const entry of readdirSync(join(cwd, 'data')))
        if (entry !== 'raw') rmSync(join(cwd, 'data', entry), { recursive: true, force: true })
      expect((await cli(['replay'], { cwd, env })).code).toBe(0)
      expect((await cli(['replay', '--from', FRIDAY, '--to', FRIDAY], { cwd, env })).code).toBe(0)
      expect((await cli(['publish'], { cwd, env })).code).toBe(0)
      expect(await hashes(cwd)).toEqual(before)
      expect(standIn.requests.length).toBe(requests)
    },
  )
})

/** Hashes of every market row, with its arrival. */
async function everything(cwd: string): Promise<Record<string, unknown>> {
  const relations = [
    'security',
    'security_history',
    'security_daily',
    'daily_summary',
    'index_summary',
    'price_limit',
    'candle',
  ]
  const columns = relations.map(
    (name) =>
      `(select [count(*)::text, bit_xor(md5_number(row_of::text))::text] from market.${name} row_of) as ${name}`,
  )
  const ran = await cli(['sql', '--json', `select ${columns.join(', ')}`], { cwd })
  const [rows = {}] = ran.json<Record<string, unknown>[]>()
  expect(Object.keys(rows)).toEqual(relations)
  return rows
}
