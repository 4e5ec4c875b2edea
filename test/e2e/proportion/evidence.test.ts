import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  buildMarket,
  type Dataset,
  defaultSymbols,
  fall,
  hideSymbol,
  omitSummaries,
  renameSymbol,
  startStandIn,
  withdrawDay,
} from '../../standin/index.js'
import { onEnd } from '../../support/cleanup.js'
import { temporaryFolder } from '../../support/folder.js'
import { LONG } from '../../support/long.js'
import { cli, type Ran } from '../../support/program.js'
import { ask } from '../../support/published.js'
import { towards } from '../support/cli.js'
import { without } from '../support/contradictions.js'
import { hashes, restorableHashes } from '../support/hashes.js'
import { expectCode } from '../support/nights.js'
import type { Touch } from './support/differences.js'
import { briefly, Evenings, saidBy } from './support/evenings.js'
import { barsOf, either, LISTS, limitsOn, moreOrdersOf, snapshotOf, summariesOn } from './support/touches.js'
import {
  ACCOUNTS,
  eveningClock,
  FUTURE,
  homeAfter,
  runNight,
  SESSIONS,
  type Service,
  service,
  sessionOf,
  WARRANT,
} from './support/world.js'

/** Requests for minute bars of one share. */
const MINUTES = { symbol: 'VCB', timeFrame: '1m' }
const slashed = (day: string): string => day.replaceAll('-', '/')
const rows = (cwd: string, sql: string) => ask(join(cwd, 'data'), sql)

/** One at a time: a third of nine symbols is a list that is cut short. */
const omission = (symbol: string, night: number) => {
  const day = sessionOf(night)
  const isIt = (row: Record<string, unknown>): boolean => (row.symbol ?? row.key) === symbol
  return {
    name: new RegExp(`lacks ${symbol} \\(stored, and left out of the lists too\\)`),
    touches: either(
      summariesOn([day], symbol),
      limitsOn([day]),
      ({ relation, row }) => [...LISTS, 'ops.coverage'].includes(relation) && (isIt(row) || row.key === '*'),
    ),
    // A figure of the list itself: that evening is gone.
    lasting: (({ relation, row }) =>
      relation === 'market.security_daily' && isIt(row) && row.trading_date === day) satisfies Touch,
  }
}

const expectKept = async (cwd: string, symbol: string, night: number): Promise<void> => {
  const kept = await rows(
    cwd,
    `SELECT trading_date FROM market.daily_summary SEMI JOIN market.price_limit USING (symbol, trading_date)
     WHERE symbol = '${symbol}' ORDER BY ALL`,
  )
  expect(kept.map(({ trading_date }) => trading_date)).toEqual(SESSIONS.slice(0, night))
}

describe('what other answers of the night contradict is incomplete and named; stored values stay; the next night heals it', () => {
  const evenings = new Evenings()

  test('HPG is left out of every answer: named, its rows stay. One warrant has a high of 1, a share on HOSE opens above its high: their rows and their bars are withheld, nothing of another symbol. Half of the minute bars of a share are missing from the answer, and its count agrees: readers do not see its bars of that session; `plan` of the next night names the rule', async () => {
    const night = 2
    const day = sessionOf(night)
    const hidden = omission('HPG', night)
    // How many shares of it may be bought is a question that is refused: another snapshot than that of an undisturbed evening.
    const [cash] = ACCOUNTS
    const ofSnapshot = either(snapshotOf(cash, day), moreOrdersOf(cash, day))
    let nth = 0
    const { cwd, standIn, ran } = await evenings.run({
      night,
      faults: [without('/data/ohlc', (bar) => isOf(bar, 'VCB', day) && nth++ % 2 === 1, MINUTES)],
      change: (service) => {
        service.setOptions({ mutateRow: (dataset, row) => wrongOn(day, dataset, row) })
        const restore = hideSymbol(service.market, 'HPG')
        return () => {
          restore()
          service.setOptions({ mutateRow: undefined })
        }
      },
      names: [hidden.name, WARRANT, 'FPT', /VCB/],
      touches: either(
        hidden.touches,
        ofSnapshot,
        summariesOn([day], WARRANT),
        summariesOn([day], 'FPT'),
        barsOf('VCB', [day]),
      ),
      // The corrected value is a revision of what was stored.
      lasting: either(
        hidden.lasting,
        ofSnapshot,
        ({ relation, row }) =>
          relation === 'market.revision' &&
          [WARRANT, 'FPT'].some((symbol) => String(row.key).includes(symbol)),
      ),
    })
    await expectKept(cwd, 'HPG', night)
    for (const rule of [1, 8])
      expect(breaksOf(ran)).toContainEqual(expect.objectContaining({ rule, severity: 'error' }))
    const published = await rows(
      cwd,
      `FROM market.daily_summary WHERE symbol IN ('${WARRANT}', 'FPT') AND trading_date = '${day}'`,
    )
    expect(published).toEqual([])
    const bars = `FROM market.candle WHERE symbol = 'VCB' AND timeframe = '1m' AND trading_date = '${day}'`
    expect(await rows(cwd, bars)).toEqual([])

    const next = sessionOf(night + 1)
    const line = ['plan', '--date', next, '--sessions', '2', '--skip-accounts']
    const plan = await cli(line, { cwd, env: towards(standIn), effects: eveningClock(next) })
    expect(plan.stdout).toMatch(/ohlc .*not stored yet; rule 8 is broken/)
  })

  test('the night after requests them in the same request as the new session. On UPCOM odd lots make open, high and low while the close stays, and an open is above the high on a day of many lots: a warning, published, exit 0; all else is equal everywhere', async () => {
    const night = 3
    const [before, day] = [sessionOf(night - 1), sessionOf(night)]
    let requests = 0
    const { cwd, standIn, ran } = await evenings.run({
      night,
      change: (service) => {
        requests = service.requests.length
        return oddLots(service, day)
      },
      code: 0,
      names: [],
      touches: either(
        summariesOn([day], 'VGT'),
        summariesOn([day], 'ACV'),
        ({ relation, row }) =>
          (relation === 'market.index_summary' && row.index_code === 'UPCOMINDEX') ||
          (relation === 'mart.session_factor' && row.trading_date === day),
      ),
    })
    const minutes = standIn.requests
      .slice(requests)
      .filter(({ path, query }) => path.endsWith('/ohlc') && query.timeFrame === '1m')
      .map(({ query }) => `${query.symbol} ${query.from?.slice(0, 10)}`)
    expect(minutes).toContain(`VCB ${slashed(before)}`)
    expect(minutes.filter((request) => request.startsWith('VCB'))).toHaveLength(1)
    expect(minutes).toContain(`PVS ${slashed(day)}`)
    expect(minutes).not.toContain(`PVS ${slashed(before)}`)
    const held = await rows(
      cwd,
      `SELECT symbol, total_match = 2 AS is_odd FROM market.daily_summary
       WHERE symbol IN ('ACV', 'VGT') AND trading_date = '${day}' ORDER BY symbol`,
    )
    expect(held).toEqual([
      { symbol: 'ACV', is_odd: false },
      { symbol: 'VGT', is_odd: true },
    ])
    expect(breaksOf(ran)).toContainEqual(expect.objectContaining({ rule: 1, severity: 'warn' }))
  })

  // In short: nights with withheld rows, test/e2e/withheld.test.ts; with contradictions, test/e2e/contradictions.test.ts.
  test.runIf(LONG)('a replay gives the same', async () => {
    const cwd = evenings.home
    const before = await restorableHashes(cwd)
    for (const verb of ['replay', 'publish']) expect((await cli([verb], { cwd })).code).toBe(0)
    expect(await restorableHashes(cwd)).toEqual(before)
  })
})

/** In short: test/load/lost-fields.test.ts and test/e2e/lost-columns.test.ts; for summaries, test/load/evidence.test.ts. */
describe.runIf(LONG)(
  'fields, sessions and symbols that answers lack for one night are named; the next night heals it',
  () => {
    const evenings = new Evenings(false)

    test('a field of the summaries and one of the minute bars have another name in every record', async () => {
      const night = 2
      const renamed = (dataset: Dataset, row: Record<string, unknown>) => {
        if (dataset === 'securitiesSummary') {
          const { totalMatch, ...rest } = row
          return { ...rest, totalVolume: totalMatch }
        }
        if (dataset !== 'ohlc') return row
        const { volume, ...rest } = row
        return { ...rest, matchedVolume: volume }
      }
      const { cwd } = await evenings.run({
        night,
        change: (standIn) => {
          standIn.setOptions({ mutateRow: renamed })
          return () => standIn.setOptions({ mutateRow: undefined })
        },
        names: [/securitiesSummary .*(totalMatch|total_match)/, /ohlc .*volume/],
        // Of the session that is new tonight alone: earlier ones keep what they have.
        touches: either(summariesOn([sessionOf(night)]), barsOf(undefined, [sessionOf(night)])),
      })
      expect(await rows(cwd, `FROM market.revision WHERE "column" IN ('total_match', 'volume')`)).toEqual([])
    })

    test('the newest session has index totals and limits, but no summary', async () => {
      const night = 3
      const day = sessionOf(night)
      const { cwd, standIn } = await evenings.run({
        night,
        change: ({ market }) => omitSummaries(market, day),
        names: [day, /securitiesSummary|summar/],
        touches: summariesOn([day]),
      })
      const repair = ['repair', '--date', day, '--skip-accounts', '--json']
      const before = standIn.requests.length
      await cli(
        repair.filter((word) => word !== '--skip-accounts'),
        { cwd, env: towards(standIn), effects: eveningClock(day) },
      )
      expect(
        standIn.requests.slice(before).filter(({ path }) => path.endsWith('/securitiesSummary')).length,
      ).toBeGreaterThan(0)
    })

    test('the night after these is equal everywhere', async () => await evenings.healthy(4))

    // The future and the warrant follow other rules of their lists; that any symbol is named: test/load/evidence.test.ts.
    test.each([
      [FUTURE, 2],
      [WARRANT, 3],
    ] as const)('%s is left out of every answer: named, its rows stay', async (symbol, night) => {
      const { name, ...may } = omission(symbol, night)
      const { cwd } = await evenings.run({
        night,
        names: [name],
        ...may,
        change: ({ market }) => hideSymbol(market, symbol),
      })
      await expectKept(cwd, symbol, night)
    })

    test('the night after that is equal everywhere', async () => await evenings.healthy(4))
  },
)

interface Break {
  rule: number
  severity: string
}
const breaksOf = (ran: Ran): Break[] => ran.json<{ checks: { breaks: Break[] } }>().checks.breaks

const isOf = (row: Record<string, unknown>, symbol: string, day: string): boolean =>
  row.symbol === symbol && String(row.tradingDate).startsWith(slashed(day))

const opensAboveHigh = (row: Record<string, unknown>): Record<string, unknown> => ({
  ...row,
  open: String(Number(row.high) + 100),
})

/** The high of the warrant is 1; FPT opens above its high. */
function wrongOn(day: string, dataset: Dataset, row: Record<string, unknown>): Record<string, unknown> {
  if (dataset !== 'securitiesSummary') return row
  if (isOf(row, WARRANT, day)) return { ...row, high: '1' }
  return isOf(row, 'FPT', day) ? opensAboveHigh(row) : row
}

/** VGT trades two shares on a day, without a lot of its own; ACV opens above its high. */
function oddLots(standIn: Service, day: string): undefined {
  const { market } = standIn
  standIn.setOptions({
    mutateRow: (dataset, row) =>
      dataset === 'securitiesSummary' && isOf(row, 'ACV', day) ? opensAboveHigh(row) : row,
  })
  const limit = market.masterdata.find((row) => row.symbol === 'VGT' && row.tradingDate === slashed(day))
  const close = Number(limit?.refPrice) - 100
  const odd = String(close + 100)
  market.restate('VGT', day, {
    open: odd,
    high: odd,
    low: odd,
    close: String(close),
    average: `${odd}.00`,
    priceChange: '-100',
    priceChangePercentage: ((-100 / (close + 100)) * 100).toFixed(2),
    totalMatch: '2',
    totalMatchValue: String(2 * (close + 100)),
    totalForeignBuy: '0',
    totalForeignBuyValue: '0',
    totalForeignSell: '0',
    totalForeignSellValue: '0',
  })
}

/** Nights of a service that changes its history for good: there is no undisturbed home to compare with. */
async function nights(
  last: number,
  change: (standIn: Service, night: number) => void,
): Promise<{ cwd: string; said: string[]; codes: (number | null)[] }> {
  const cwd = await homeAfter(1, false)
  const standIn = await service(2)
  const [said, codes]: [string[], (number | null)[]] = [[], []]
  for (let night = 2; night <= last; night++) {
    standIn.turn(night)
    change(standIn, night)
    const ran = await runNight(standIn, cwd, night, { accounts: false })
    said.push(saidBy(ran))
    codes.push(ran.code)
    expect([0, 4], briefly(ran)).toContain(ran.code)
  }
  return { cwd, said, codes }
}

/** Symbols and days with minute bars but no summary that says that the symbol traded. */
const ORPHANS = `SELECT DISTINCT symbol, trading_date FROM market.candle AS bar
  WHERE NOT is_derived AND NOT EXISTS (FROM market.daily_summary AS day
    WHERE day.symbol = bar.symbol AND day.trading_date = bar.trading_date AND day.total_match > 0)`

// In short: test/load/evidence.test.ts, and the cases chain_known and adjustment_event of test/cases/mart.
test.runIf(LONG)(
  'the summary of one traded symbol is omitted on the day of a fall, a symbol is renamed, then a summary and its bars are withdrawn: no corporate action, days stand under one name or both are named, no bar stays without being named',
  async () => {
    const [day, withdrawn] = [sessionOf(2), 'HPG']
    const { cwd, said, codes } = await nights(4, ({ market }, night) => {
      if (night === 3) withdrawDay(market, withdrawn, day)
      if (night !== 2) return
      fall(market, 'FPT', day)
      omitSummaries(market, day, 'FPT')
      renameSymbol(market, 'VGT', 'VGX')
    })
    expect(codes[0]).toBe(4)
    expect(said[0]).toMatch('FPT')
    expect(
      await rows(cwd, "SELECT symbol, state FROM mart.adjustment_event WHERE state = 'observed'"),
    ).toEqual([])
    const known = await rows(
      cwd,
      `SELECT DISTINCT is_chain_known FROM mart.daily_adjusted WHERE symbol = 'FPT' AND trading_date < '${day}'`,
    )
    expect(known).toEqual([{ is_chain_known: false }])
    const twice = await rows(
      cwd,
      `SELECT trading_date FROM (SELECT symbol, trading_date FROM market.daily_summary
       UNION SELECT symbol, trading_date FROM market.candle WHERE NOT is_derived)
     WHERE symbol IN ('VGT', 'VGX') GROUP BY trading_date HAVING count(*) > 1`,
    )
    if (twice.length > 0) for (const symbol of ['VGT', 'VGX']) expect(said[0]).toMatch(symbol)
    const orphans = await rows(cwd, ORPHANS)
    if (orphans.some(({ symbol }) => symbol === withdrawn)) expect(said[1]).toMatch(withdrawn)
  },
)

test('edges: a service whose year begins five days after ours refuses a range from before it: what it has is asked for from the other side', async () => {
  const sessions = ['2025-03-06', '2025-03-07', '2025-03-10', '2025-03-11']
  // The edge of the service is the second Monday, ours the Wednesday before.
  const today = '2026-03-05'
  const standIn = await startStandIn({
    market: buildMarket({ sessions, symbols: defaultSymbols().filter(({ symbol }) => symbol === 'FPT') }),
    today,
    now: eveningClock(today).now,
    yearEdgeLaterDays: 5,
    beforeYearEdge: 'refuse',
  })
  onEnd(() => standIn.close())
  const cwd = temporaryFolder()
  const range = ['--from', '2025-03-06', '--to', '2025-03-11', '--date', today]
  const ran = await cli(['backfill', 'ohlc', ...range, '--timeframe', '1m', '--json'], {
    cwd,
    env: towards(standIn),
    effects: eveningClock(today),
  })
  expect([0, 4], briefly(ran)).toContain(ran.code)
  const days = await rows(
    cwd,
    `SELECT DISTINCT trading_date FROM market.candle
     WHERE symbol = 'FPT' AND timeframe = '1m' AND NOT is_derived ORDER BY ALL`,
  )
  expect(days.map(({ trading_date }) => trading_date)).toEqual(['2025-03-10', '2025-03-11'])
  // What was refused on the way is in the ledger, too: the raw pages have it.
  const before = await hashes(cwd)
  for (const verb of ['replay', 'publish']) expectCode(await cli([verb], { cwd }), 0)
  expect(await hashes(cwd)).toEqual(before)
})
