import type { Timeframe } from 'candlehouse-foundation/market/timeframe'
import { describe, expect, test } from 'vitest'
import type { Coverage } from '../../src/plan/coverage.js'
import { planCrossChecks, turnOf } from '../../src/plan/cross-checks.js'
import { firstCompared, latestTurns, planDailyCrossChecks } from '../../src/plan/daily-cross-checks.js'
import type { Goal } from '../../src/plan/goal.js'
import type { WindowRequest } from '../../src/plan/request.js'
import { coverageOf, goalOf, WEEK } from './support/goals.js'

const [MON, , , THU, FRI] = WEEK
const market = (count: number): string[] => Array.from({ length: count }, (_, at) => `S${at}`)
const shown = (requests: readonly WindowRequest[]): string[] =>
  requests.map(({ key, timeframe, from, to }) => [key, timeframe, from, to].join(' '))

test('a turn is the same on every machine', () => {
  // FNV-1a of an empty text is 0x811c9dc5, with its high bits mixed in 0x811d9ffc.
  expect(turnOf('')).toBe(0x811d9ffc)
  expect([turnOf('FPT'), turnOf('FPT 2025-03-14')]).toEqual([128_803_735, 1_414_479_767])
})

describe('cross-checks of derived bars', () => {
  const wantedOn = (day: string, ...symbols: readonly string[]) =>
    new Map(symbols.map((symbol) => [symbol, new Set([day])]))
  const asked = (
    wanted: ReadonlyMap<string, ReadonlySet<string>>,
    goal: Partial<Goal> = {},
    coverage: Coverage = coverageOf({ listed: market(8) }),
  ): string[] => shown(planCrossChecks(goalOf({ crossChecks: 3, ...goal }), WEEK, wanted, coverage))

  test('take every second symbol of a market of 8 for 3 checks, each with one of five timeframes', () => {
    const symbols = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FPT', 'HPG', 'VNM']
    expect(asked(wantedOn(FRI, ...symbols))).toEqual([
      `CCC 5m ${FRI} ${FRI}`,
      `DDD 3m ${FRI} ${FRI}`,
      `EEE 15m ${FRI} ${FRI}`,
      `HPG 5m ${FRI} ${FRI}`,
      `VNM 3m ${FRI} ${FRI}`,
    ])
  })

  test('take every symbol of a small market, and few of a large one', () => {
    expect(asked(wantedOn(FRI, 'AAA', 'BBB'), {}, coverageOf({ listed: ['AAA', 'BBB'] }))).toEqual([
      `AAA 3m ${FRI} ${FRI}`,
      `BBB 30m ${FRI} ${FRI}`,
    ])
    const large = coverageOf({ listed: market(1700) })
    const taken = asked(wantedOn(FRI, ...market(1700)), {}, large)
    expect(taken.length).toBeGreaterThanOrEqual(1)
    expect(taken.length).toBeLessThanOrEqual(8)
  })

  test('say what they are for, and take one page', () => {
    const [request] = planCrossChecks(goalOf({ crossChecks: 3 }), WEEK, wantedOn(FRI, 'DDD'), coverageOf())
    expect(request).toEqual({
      dataset: 'ohlc',
      key: 'DDD',
      timeframe: '3m',
      from: FRI,
      to: FRI,
      pages: 1,
      why: 'cross-check of bars derived from 1m',
    })
  })

  test('are none where none are wanted, or every timeframe is fetched anyway', () => {
    expect(asked(wantedOn(FRI, 'DDD'), { crossChecks: 0 })).toEqual([])
    const incomplete = { ...coverageOf({ listed: market(8) }), stateOf: () => 'incomplete' as const }
    expect(asked(wantedOn(FRI, 'DDD'), { crossChecks: 0 }, incomplete)).toEqual([])
    const all: readonly Timeframe[] = ['1m', '3m', '5m', '15m', '30m', '1h', '1d']
    expect(asked(wantedOn(FRI, 'DDD'), { timeframes: all })).toEqual([])
  })

  test('draw no timeframe that is fetched anyway', () => {
    const timeframes: readonly Timeframe[] = ['1m', '3m', '5m', '15m', '30m']
    expect(asked(wantedOn(FRI, 'DDD', 'HPG'), { timeframes })).toEqual([
      `DDD 1h ${FRI} ${FRI}`,
      `HPG 1h ${FRI} ${FRI}`,
    ])
  })

  test('are of the wanted sessions of the goal, and not requested twice', () => {
    expect(asked(wantedOn('2025-02-03', ...market(50)))).toEqual([])
    const stored = coverageOf({ listed: market(8) }, { [`ohlc DDD 3m ${FRI}`]: 'complete' })
    expect(asked(wantedOn(FRI, 'DDD'), {}, stored)).toEqual([])
  })

  test('that are incomplete are requested again, whoever has the turn', () => {
    const states = {
      [`ohlc DDD 1h ${FRI}`]: 'incomplete',
      [`ohlc DDD 1d ${FRI}`]: 'incomplete',
      [`ohlc DDD 3m ${FRI}`]: 'complete',
    } as const
    const requests = planCrossChecks(
      goalOf({ crossChecks: 3 }),
      WEEK,
      wantedOn(FRI, 'DDD'),
      coverageOf({ listed: market(8) }, states),
    )
    expect(requests.map(({ timeframe, why }) => `${timeframe}: ${why}`)).toEqual([
      '1h: cross-check of bars derived from 1m',
      '1d: cross-check of bars derived from the daily summaries',
    ])
  })

  test('that are incomplete are requested again for a session that is no longer wanted', () => {
    const unfinished = [
      { symbol: 'OLD', timeframe: '5m', day: THU },
      // Not derived, not of the goal, and wanted anyway: requested elsewhere or not at all.
      { symbol: 'OLD', timeframe: '1m', day: THU },
      { symbol: 'OLD', timeframe: '5m', day: '2025-02-03' },
      { symbol: 'AAA', timeframe: '5m', day: FRI },
    ] as const
    const coverage = coverageOf({ listed: market(8), unfinished })
    expect(asked(wantedOn(FRI, 'AAA'), {}, coverage)).toEqual([`OLD 5m ${THU} ${THU}`])
  })
})

describe('cross-checks of daily bars', () => {
  // Its turn is on Friday (2025-03-14), and in the 128 weekdays before on no other day.
  const symbol = 'S37'
  const wanted = new Map([[symbol, new Set<string>([MON, FRI])]])
  const asked = (coverage: Coverage, goal: Partial<Goal> = {}, sessions: readonly string[] = WEEK) =>
    planDailyCrossChecks(goalOf({ crossChecks: 3, ...goal }), sessions, wanted, coverage)

  test('look back over two rotations of 128 weekdays', () => {
    expect(firstCompared(FRI)).toBe('2024-03-20')
  })

  test('have a turn on one weekday, and a weekend has that of its Friday', () => {
    expect(WEEK.filter((day) => latestTurns([day])(symbol) !== undefined)).toEqual([FRI])
    expect(latestTurns(['2025-03-15'])(symbol) !== undefined).toBe(true)
    expect(latestTurns(['2025-03-16'])(symbol) !== undefined).toBe(true)
    expect(latestTurns(['2025-03-17'])(symbol) !== undefined).toBe(false)
  })

  test('are one request from the first to the last session without daily bars', () => {
    expect(asked(coverageOf())).toEqual([
      {
        dataset: 'ohlc',
        key: symbol,
        timeframe: '1d',
        from: MON,
        to: FRI,
        pages: 1,
        why: 'cross-check of daily bars derived from the daily summaries',
      },
    ])
  })

  test('reach back to the first compared session, and not beyond the turn', () => {
    const range = (days: readonly string[], sessions: readonly string[] = WEEK): unknown =>
      shown(asked(coverageOf({ uncompared: new Map([[symbol, days]]) }), {}, sessions))
    expect(range(['2024-03-20', '2024-06-03'])).toEqual([`${symbol} 1d 2024-03-20 ${FRI}`])
    expect(range(['2024-03-19'])).toEqual([`${symbol} 1d ${MON} ${FRI}`])
    expect(range(['2025-03-17'], [...WEEK, '2025-03-17'])).toEqual([`${symbol} 1d ${MON} ${FRI}`])
  })

  test('leave out sessions with daily bars, and are none where all have them', () => {
    const state = (day: string) => ({ [`ohlc ${symbol} 1d ${day}`]: 'complete' as const })
    expect(shown(asked(coverageOf({}, state(MON))))).toEqual([`${symbol} 1d ${FRI} ${FRI}`])
    expect(asked(coverageOf({}, { ...state(MON), ...state(FRI) }))).toEqual([])
  })

  test('are none without cross-checks, with daily bars in the goal, or where no session is its turn', () => {
    expect(asked(coverageOf(), { crossChecks: 0 })).toEqual([])
    expect(asked(coverageOf(), { timeframes: ['1d'] })).toEqual([])
    expect(asked(coverageOf(), {}, WEEK.slice(0, 4))).toEqual([])
  })
})
