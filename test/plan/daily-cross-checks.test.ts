import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'
import { describe, expect, test } from 'vitest'
import { nightly as nightlyJob } from '../../jobs/nightly.js'
import { type Coverage, type CoverageState, noCoverage } from '../../src/plan/coverage.js'
import { firstCompared, latestTurns } from '../../src/plan/daily-cross-checks.js'
import { planStage } from '../../src/plan/stage-plan.js'
import { nightlyGoal } from '../../src/run/jobs/goals.js'

const calendar = loadCalendar()
const DAY = '2025-03-14'
const SESSIONS = calendar.sessionsBetween('2024-03-15', DAY)
const MARKET = Array.from({ length: 1410 }, (_, at) => `S${String(at).padStart(4, '0')}`)

describe('turns', () => {
  test('every symbol has one on one weekday in 128, whatever the night', () => {
    const weekdays = Array.from({ length: 26 * 7 }, (_, at) =>
      new Date(Date.parse('2025-01-06') + at * 86_400_000).toISOString().slice(0, 10),
    ).filter((day) => ![0, 6].includes(new Date(day).getUTCDay()))
    for (const symbol of MARKET.slice(0, 50))
      expect(
        weekdays.slice(0, 128).filter((day) => latestTurns([day])(symbol) !== undefined),
        symbol,
      ).toHaveLength(1)
  })

  test('are spread over the market', () => {
    const busiest = Math.max(
      ...SESSIONS.slice(-60).map(
        (day) => MARKET.filter((symbol) => latestTurns([day])(symbol) !== undefined).length,
      ),
    )
    expect(busiest).toBeLessThan(28)
  })
})

describe('a night of the whole market', () => {
  test('costs at most two percent more requests than one for each symbol that traded', () => {
    const plan = planNight({ listed: MARKET, traded: tradedOn(MARKET, [DAY]) }, 1)
    expect(plan.requests.length).toBeGreaterThan(MARKET.length)
    expect(plan.requests.length / MARKET.length).toBeLessThanOrEqual(1.02)
  })

  test('asks a symbol on its turn for every session that it was not asked for, in one page', () => {
    const [symbol = ''] = MARKET.filter((each) => latestTurns([DAY])(each) !== undefined)
    const before = SESSIONS.filter((day) => day >= firstCompared(DAY) && day < DAY)
    const coverage = { uncompared: new Map([[symbol, before]]), traded: tradedOn([symbol], [DAY]) }
    expect(dailyBars(planNight({ listed: [symbol], ...coverage }, 1))).toEqual([
      `${symbol} ${before[0]} ${DAY} 1`,
    ])
    const asked = Object.fromEntries(
      [...before, DAY].map((day) => [`ohlc ${symbol} 1d ${day}`, 'complete' as const]),
    )
    expect(dailyBars(planNight({ listed: [symbol], ...coverage }, 1, asked))).toEqual([])
  })

  test('asks for none where only some symbols are wanted, or daily bars are fetched anyway', () => {
    const [symbol = ''] = MARKET.filter((each) => latestTurns([DAY])(each) !== undefined)
    const known = { listed: MARKET, traded: tradedOn([symbol], [DAY]) }
    expect(dailyBars(planNight(known, 1, {}, [symbol]))).toEqual([])
    expect(dailyBars(planNight(known, 1))).toHaveLength(1)
  })

  test('asks again for what was incomplete', () => {
    const known = { listed: MARKET, traded: tradedOn(['S0001'], [DAY]) }
    expect(dailyBars(planNight(known, 5, { [`ohlc S0001 1d ${DAY}`]: 'incomplete' }))).toEqual([
      `S0001 ${DAY} ${DAY} 1`,
    ])
  })
})

function tradedOn(symbols: readonly string[], days: readonly Day[]): Coverage['traded'] {
  return days.flatMap((day) => symbols.map((symbol) => ({ symbol, day, traded: true })))
}

function planNight(
  known: Partial<Coverage>,
  sessions: number,
  states: Record<string, CoverageState> = {},
  symbols?: readonly string[],
): ReturnType<typeof planStage> {
  const goal = nightlyGoal(nightlyJob, { tradingDate: DAY, sessions, symbols }, calendar)
  const summarised = (dataset: string): CoverageState | undefined =>
    dataset === 'securitiesSummary' ? 'complete' : undefined
  const coverage: Coverage = {
    ...noCoverage,
    ...known,
    stateOf: (dataset, key, timeframe, day) =>
      states[`${dataset} ${key} ${timeframe} ${day}`] ?? summarised(dataset),
  }
  return planStage('candles', goal, coverage, calendar)
}

function dailyBars({ requests }: ReturnType<typeof planStage>): string[] {
  return requests
    .filter(({ timeframe }) => timeframe === '1d')
    .map(({ key, from, to, pages }) => `${key} ${from} ${to} ${pages}`)
}
