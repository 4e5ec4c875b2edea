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
import { onEnd } from '../support/cleanup.js'
import { temporaryFolder } from '../support/folder.js'
import { LONG } from '../support/long.js'
import { cli, type Environment } from '../support/program.js'
import { towards } from './support/cli.js'
import { hashes } from './support/hashes.js'
import { expectTruth } from './support/truth.js'

const WEEK = ['2025-03-10', '2025-03-11', '2025-03-12', '2025-03-13', '2025-03-14']
const NEXT = '2025-03-17'
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
    env = towards(standIn)
  })
  afterAll(async () => await standIn.close())

  test('stores what the service has, to the last digit, odd names included', async () => {
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
    expect(standIn.count('/data/indexSummary')).toBe(standIn.market.indexes.length * WEEK.length)
    expect(standIn.count('/auth/token')).toBe(1)
  })

  test('the same day again requests what plan shows, no candles, and changes no row, arrival included', async () => {
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
    // Token, boards, indexes and their members, summaries, limits, index days.
    expect(asked.length).toBe(1 + 3 + 1 + 4 + 1 + 1 + 4 * WEEK.length)
    const { datasets } = again.json<{ datasets: { dataset: string; changed: number }[] }>()
    expect(datasets.filter((each) => each.changed > 0)).toEqual([])
    expect(await everything(cwd)).toEqual(rows)
  })

  test('a restated day is fetched again, updated, and its old values become revisions', async () => {
    standIn.market.restate('FPT', '2025-03-12', { totalMatch: '1234500', totalMatchValue: '148140000000' })
    const before = standIn.requests.length
    expect((await cli(friday, { cwd, env })).code).toBe(0)
    const candles = standIn.requests.slice(before).filter((request) => request.path.endsWith('/ohlc'))
    expect(candles.map(({ query }) => [query.symbol, query.timeFrame, query.from?.slice(0, 10)])).toEqual([
      ['FPT', '1m', '2025/03/12'],
    ])
    await expectTruth(standIn, cwd, { sessions: WEEK })
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

  test('the next date requests candles of one session, and daily datasets for their window', async () => {
    standIn.setOptions({ today: NEXT })
    const before = standIn.requests.length
    expect((await cli(['nightly', '--date', NEXT], { cwd, env })).code).toBe(0)
    const asked = standIn.requests.slice(before)
    const candles = asked
      .filter((request) => request.path.endsWith('/ohlc'))
      .filter((request) => request.query.timeFrame === '1m')
    const traded = standIn.market.seeds.filter((seed) => seed.trades !== false && seed.listed !== false)
    expect(candles.length).toBe(traded.length)
    for (const request of candles) {
      expect(request.query.from).toMatch(/^2025\/03\/17/)
      expect(request.query.to).toMatch(/^2025\/03\/17/)
    }
    const summary = asked.find((request) => request.path.endsWith('/securitiesSummary'))
    expect(summary?.query).toMatchObject({ from: '2025/03/11', to: '2025/03/17' })
    await expectTruth(standIn, cwd, { sessions: [...WEEK, NEXT] })
  })

  test('everything but raw/ deleted: replay and publish reproduce every hash without network', async () => {
    const before = await hashes(cwd)
    const requests = standIn.requests.length
    for (const entry of readdirSync(join(cwd, 'data')))
      if (entry !== 'raw') rmSync(join(cwd, 'data', entry), { recursive: true, force: true })
    expect((await cli(['replay'], { cwd, env })).code).toBe(0)
    if (LONG) expect((await cli(['replay', '--from', FRIDAY, '--to', FRIDAY], { cwd, env })).code).toBe(0)
    expect((await cli(['publish'], { cwd, env })).code).toBe(0)
    expect(await hashes(cwd)).toEqual(before)
    expect(standIn.requests.length).toBe(requests)
  })
})

test('a day the calendar believes closed that has data is opened; one believed open without data is no gap', async () => {
  // 1 January 2025 is a holiday in the table; 31 December 2024 is a session that this market leaves out.
  const sessions = ['2024-12-30', '2025-01-01', '2025-01-02']
  const standIn = await startStandIn({ market: buildMarket({ sessions }) })
  onEnd(() => standIn.close())
  const cwd = temporaryFolder()
  const env = towards(standIn, { BROKER_BASE_URL: `${standIn.url}/` })
  const ran = await cli(['nightly', '--date', '2025-01-02', '--sessions', '3'], { cwd, env })
  expect(ran.code, ran.stderr).toBe(0)
  await expectTruth(standIn, cwd, { sessions })
  const before = standIn.requests.length
  expect((await cli(['nightly', '--date', '2025-01-02', '--sessions', '3'], { cwd, env })).code).toBe(0)
  const asked = standIn.requests.slice(before)
  expect(asked.filter((request) => request.path.endsWith('/ohlc'))).toEqual([])
  expect(asked.filter((request) => request.query.tradingDate === '2024/12/31')).toEqual([])
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
