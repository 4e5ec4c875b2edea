import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  buildMarket,
  type Dataset,
  fall,
  hideSymbol,
  omitSummaries,
  renameSymbol,
  startStandIn,
  withdrawDay,
} from '../../standin/index.js'
import { onEnd } from '../../support/cleanup.js'
import { temporaryFolder } from '../../support/folder.js'
import { cli } from '../../support/program.js'
import { ask } from '../../support/published.js'
import { ALWAYS } from '../support/bad-answers.js'
import { towards } from '../support/cli.js'
import { restorableHashes } from '../support/hashes.js'
import { briefly, Evenings, saidBy } from './support/evenings.js'
import { either, LISTS, limitsOn, summariesOn } from './support/touches.js'
import {
  eveningClock,
  FUTURE,
  homeAfter,
  runNight,
  SESSIONS,
  type Service,
  service,
  sessionOf,
  sessionsOf,
  WARRANT,
} from './support/world.js'

const slashed = (day: string): string => day.replaceAll('-', '/')
const rows = (cwd: string, sql: string) => ask(join(cwd, 'data'), sql)

describe('what other answers of the night contradict is incomplete and named; stored values stay; the next night heals it', () => {
  const evenings = new Evenings(false)

  test('a field has another name in every record', async () => {
    const night = 2
    const renamed = (dataset: Dataset, row: Record<string, unknown>) => {
      if (dataset !== 'securitiesSummary') return row
      const { totalMatch, ...rest } = row
      return { ...rest, totalVolume: totalMatch }
    }
    const { cwd } = await evenings.run({
      night,
      change: (standIn) => {
        standIn.setOptions({ mutateRow: renamed })
        return () => standIn.setOptions({ mutateRow: undefined })
      },
      names: [/totalMatch|total_match/],
      // Of the session that is new tonight alone: earlier ones keep what they have.
      touches: summariesOn([sessionOf(night)]),
    })
    expect(await rows(cwd, `FROM market.revision WHERE "column" = 'total_match'`)).toEqual([])
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

  test('the night after is equal everywhere', async () => await evenings.healthy(4))
})

test('one warrant has a high of 1: its row and its bars are withheld, nothing of another symbol', async () => {
  const night = 2
  const day = sessionOf(night)
  const evenings = new Evenings(false)
  const { cwd } = await evenings.run({
    night,
    change: ({ market }) => {
      const row = market.summaries.find(
        (each) => each.symbol === WARRANT && each.tradingDate === slashed(day),
      )
      const high = row?.high
      if (row) row.high = '1'
      return () => {
        if (row && high) row.high = high
      }
    },
    names: [WARRANT],
    touches: either(summariesOn([day], WARRANT)),
  })
  const held = await rows(
    cwd,
    `FROM market.daily_summary WHERE symbol = '${WARRANT}' AND trading_date = '${day}'`,
  )
  expect(held).toEqual([])
  // The corrected value is a revision of what was stored.
  await evenings.healthy(
    3,
    ({ relation, row }) => relation === 'market.revision' && String(row.key).includes(WARRANT),
  )
})

test('odd lots on UPCOM make open, high and low while the close stays: published, exit 0', async () => {
  const night = 2
  const day = sessionOf(night)
  const { cwd } = await new Evenings(false).run({
    night,
    change: ({ market }) => {
      const limit = market.masterdata.find((row) => row.symbol === 'VGT' && row.tradingDate === slashed(day))
      const close = Number(limit?.refPrice) - 100
      const odd = String(close + 100)
      market.restate('VGT', day, {
        ...{ open: odd, high: odd, low: odd, close: String(close), average: `${odd}.00` },
        ...{ priceChange: '-100', priceChangePercentage: ((-100 / (close + 100)) * 100).toFixed(2) },
        ...{ totalMatch: '2', totalMatchValue: String(2 * (close + 100)) },
        ...{
          totalForeignBuy: '0',
          totalForeignBuyValue: '0',
          totalForeignSell: '0',
          totalForeignSellValue: '0',
        },
      })
      return undefined
    },
    code: 0,
    names: [],
    touches: either(
      summariesOn([day], 'VGT'),
      ({ relation, row }) =>
        (relation === 'market.index_summary' && row.index_code === 'UPCOMINDEX') ||
        (relation === 'mart.session_factor' && row.trading_date === day),
    ),
  })
  const held = await rows(
    cwd,
    `SELECT total_match FROM market.daily_summary WHERE symbol = 'VGT' AND trading_date = '${day}'`,
  )
  expect(held).toEqual([{ total_match: '2' }])
})

test.each([
  ['VGT', 'UPCOM', 0],
  ['HPG', 'HOSE', 4],
] as const)(
  'the open of %s (%s) is above its high on a day of many lots: a warning on UPCOM, withheld by key elsewhere',
  async (symbol, _, code) => {
    const night = 2
    const day = sessionOf(night)
    const isIt = (row: Record<string, unknown>): boolean =>
      row.symbol === symbol && String(row.tradingDate).startsWith(slashed(day))
    const { cwd, ran } = await new Evenings(false).run({
      night,
      change: (standIn) => {
        standIn.setOptions({
          mutateRow: (dataset, row) =>
            dataset === 'securitiesSummary' && isIt(row)
              ? { ...row, open: String(Number(row.high) + 100) }
              : row,
        })
        return () => standIn.setOptions({ mutateRow: undefined })
      },
      code,
      names: code === 4 ? [symbol] : [],
      touches: summariesOn([day], symbol),
    })
    const { breaks } = ran.json<{ checks: { breaks: { rule: number; severity: string }[] } }>().checks
    expect(breaks).toContainEqual(
      expect.objectContaining({ rule: 1, severity: code === 4 ? 'error' : 'warn' }),
    )
    const published = await rows(
      cwd,
      `SELECT symbol FROM market.daily_summary WHERE symbol = '${symbol}' AND trading_date = '${day}'`,
    )
    expect(published).toHaveLength(code === 4 ? 0 : 1)
  },
)

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

test('the summary of one traded symbol is omitted on the day of a fall: no corporate action, and the symbol is named', async () => {
  const day = sessionOf(2)
  const { cwd, said, codes } = await nights(4, ({ market }, night) => {
    if (night !== 2) return
    fall(market, 'FPT', day)
    omitSummaries(market, day, 'FPT')
  })
  expect(codes[0]).toBe(4)
  expect(said[0]).toMatch('FPT')
  expect(await rows(cwd, "SELECT symbol, state FROM mart.adjustment_event WHERE state = 'observed'")).toEqual(
    [],
  )
  const known = await rows(
    cwd,
    `SELECT DISTINCT is_chain_known FROM mart.daily_adjusted WHERE symbol = 'FPT' AND trading_date < '${day}'`,
  )
  expect(known).toEqual([{ is_chain_known: false }])
})

/** Symbols and days with minute bars but no summary that says that the symbol traded. */
const ORPHANS = `SELECT DISTINCT symbol, trading_date FROM market.candle AS bar
  WHERE NOT is_derived AND NOT EXISTS (FROM market.daily_summary AS day
    WHERE day.symbol = bar.symbol AND day.trading_date = bar.trading_date AND day.total_match > 0)`

test('the service withdraws a summary and its bars: no bar stays without being named', async () => {
  const { cwd, said, codes } = await nights(3, ({ market }, night) => {
    if (night === 2) withdrawDay(market, 'HPG', sessionOf(1))
  })
  const orphans = await rows(cwd, ORPHANS)
  if (orphans.length > 0) {
    expect(codes[0]).toBe(4)
    expect(said[0]).toMatch('HPG')
  }
})

test('the service renames a symbol: its days stand under one name, or both are named', async () => {
  const { cwd, said, codes } = await nights(3, ({ market }, night) => {
    if (night === 2) renameSymbol(market, 'VGT', 'VGX')
  })
  const twice = await rows(
    cwd,
    `SELECT trading_date FROM (SELECT symbol, trading_date FROM market.daily_summary
       UNION SELECT symbol, trading_date FROM market.candle WHERE NOT is_derived)
     WHERE symbol IN ('VGT', 'VGX') GROUP BY trading_date HAVING count(*) > 1`,
  )
  if (twice.length > 0) {
    expect(codes[0]).toBe(4)
    expect(said[0]).toMatch('VGT')
    expect(said[0]).toMatch('VGX')
  }
})

test.each(['HPG', WARRANT, FUTURE])(
  '%s is left out of every answer for one night: named, its rows stay; the next night is complete and equal everywhere',
  async (symbol) => {
    const night = 3
    const evenings = new Evenings(false)
    const { cwd } = await evenings.run({
      night,
      change: ({ market }) => hideSymbol(market, symbol),
      names: [new RegExp(`lacks ${symbol} \\(stored, and left out of the lists too\\)`)],
      touches: either(
        summariesOn([sessionOf(night)], symbol),
        limitsOn([sessionOf(night)]),
        ({ relation, row }) =>
          [...LISTS, 'ops.coverage'].includes(relation) &&
          [symbol, '*'].includes(String(row.symbol ?? row.key)),
      ),
      // A figure of the list itself: that evening is gone.
      lasting: ({ relation, row }) =>
        relation === 'market.security_daily' &&
        row.symbol === symbol &&
        row.trading_date === sessionOf(night),
    })
    const kept = await rows(
      cwd,
      `SELECT trading_date FROM market.daily_summary SEMI JOIN market.price_limit USING (symbol, trading_date)
       WHERE symbol = '${symbol}' ORDER BY ALL`,
    )
    expect(kept.map(({ trading_date }) => trading_date)).toEqual(SESSIONS.slice(0, night))
    await evenings.healthy(4)
    const before = await restorableHashes(cwd)
    expect((await cli(['replay'], { cwd })).code).toBe(0)
    expect(await restorableHashes(cwd)).toEqual(before)
  },
)

test('a symbol leaves, and answers keep its earlier sessions: nothing is incomplete', async () => {
  const day = slashed(sessionOf(2))
  const { codes, said } = await nights(3, ({ market }, night) => {
    if (night !== 2) return
    market.securities = market.securities.filter(({ symbol }) => symbol !== 'ACV')
    for (const [index, members] of Object.entries(market.members))
      market.members[index] = members.filter((symbol) => symbol !== 'ACV')
    const stays = (row: { symbol: string; tradingDate: string }): boolean =>
      row.symbol !== 'ACV' || row.tradingDate < day
    market.summaries = market.summaries.filter(stays)
    market.masterdata = market.masterdata.filter(stays)
    market.daily = market.daily.filter(stays)
    market.minutes = market.minutes.filter(stays)
  })
  expect(codes, said.join('\n')).toEqual([0, 0])
})

test('edges: a service whose year begins five days after ours refuses a range from before it: what it has is asked for from the other side', async () => {
  const sessions = ['2025-03-06', '2025-03-07', '2025-03-10', '2025-03-11']
  // The edge of the service is the second Monday, ours the Wednesday before.
  const today = '2026-03-05'
  const standIn = await startStandIn({
    ...{ market: buildMarket({ sessions }), today, now: eveningClock(today).now },
    ...{ yearEdgeLaterDays: 5, beforeYearEdge: 'refuse' },
  })
  onEnd(() => standIn.close())
  const cwd = temporaryFolder()
  const range = ['--from', '2025-03-06', '--to', '2025-03-11', '--date', today]
  const ran = await cli(['backfill', 'ohlc', ...range, '--json'], {
    ...{ cwd, env: towards(standIn), effects: eveningClock(today) },
  })
  expect([0, 4], briefly(ran)).toContain(ran.code)
  const days = await rows(
    cwd,
    `SELECT DISTINCT trading_date FROM market.candle
     WHERE symbol = 'FPT' AND timeframe = '1m' AND NOT is_derived ORDER BY ALL`,
  )
  expect(days.map(({ trading_date }) => trading_date)).toEqual(['2025-03-10', '2025-03-11'])
})

test('renamed volume of minute bars: asked for again once the field is back', async () => {
  const evenings = new Evenings(false)
  await evenings.run({
    night: 2,
    change: (standIn) => {
      standIn.setOptions({
        mutateRow: (dataset, { volume, ...row }) =>
          dataset === 'ohlc'
            ? { ...row, matchedVolume: volume }
            : { ...row, ...(volume === undefined ? {} : { volume }) },
      })
      return () => standIn.setOptions({ mutateRow: undefined })
    },
    names: [/volume/],
    touches: ({ relation, row }) =>
      relation === 'ops.coverage' ||
      (/^mart\.|market\.candle/.test(relation) && row.trading_date === sessionOf(2)),
  })
  await evenings.healthy(3)
})

test('evidence is of one kind of fault at a time: two symbols that fail on one endpoint are no outage', async () => {
  const fault = (symbol: string) => ({
    kind: 'html502' as const,
    match: { path: '/data/ohlc', where: { symbol } },
    times: ALWAYS,
  })
  const days = sessionsOf(2)
  await new Evenings(false).run({
    night: 2,
    faults: [fault('FPT'), fault('VCB')],
    names: ['FPT', 'VCB'],
    touches: either(summariesOn(days, 'FPT'), summariesOn(days, 'VCB')),
  })
})
