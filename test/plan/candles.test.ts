import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import type { Timeframe } from 'candlehouse-foundation/market/timeframe'
import { describe, expect, test } from 'vitest'
import type { Coverage, CoverageState } from '../../src/plan/coverage.js'
import type { Goal } from '../../src/plan/goal.js'
import { candleWalks, planCandles } from '../../src/plan/plan-candles.js'
import { coverageOf, goalOf, statesOn, WEEK } from './support/goals.js'

const [MON, TUE, WED, , FRI] = WEEK
const FIRST_SERVED = '2024-03-14'
const SUMMARISED = statesOn('securitiesSummary *', WEEK, 'complete')

const asked = (
  coverage: Partial<Coverage>,
  states: Readonly<Record<string, CoverageState>> = SUMMARISED,
  goal: Partial<Goal> = {},
): string[] =>
  planCandles(goalOf(goal), WEEK, coverageOf(coverage, states), FIRST_SERVED).requests.map(
    ({ key, timeframe, from, to }) => [key, timeframe, from, to].join(' '),
  )
const traded = (symbol: string, day: string, didTrade: boolean | null = true) => ({
  symbol,
  day,
  traded: didTrade,
})

describe('candles', () => {
  test('are not requested by a goal without them', () => {
    const coverage = coverageOf({ traded: [traded('AAA', MON)] }, SUMMARISED)
    const goal = goalOf({ datasets: ['securities'] })
    expect(planCandles(goal, WEEK, coverage, FIRST_SERVED)).toEqual({ requests: [], skipped: [] })
  })

  test('say whether one session or several are not stored yet', () => {
    const coverage = coverageOf(
      { traded: [traded('AAA', MON), traded('BBB', TUE), traded('BBB', WED)] },
      SUMMARISED,
    )
    const { requests } = planCandles(goalOf(), WEEK, coverage, FIRST_SERVED)
    expect(requests.map(({ key, why }) => `${key}: ${why}`)).toEqual([
      `AAA: ${MON} not stored yet`,
      'BBB: 2 sessions not stored yet',
    ])
  })

  test('that expired are skipped with a reason', () => {
    const coverage = coverageOf({ traded: WEEK.map((day) => traded('AAA', day)) }, SUMMARISED)
    const goal = goalOf({ timeframes: ['1m', '1d'] })
    expect(planCandles(goal, WEEK, coverage, WED).skipped).toEqual([
      {
        dataset: 'ohlc',
        from: MON,
        to: TUE,
        why: `1m candles before ${WED} are older than the one year the service serves`,
      },
    ])
    expect(planCandles(goal, WEEK, coverage, MON).skipped).toEqual([])
  })

  test('of an empty answer are requested again only if that symbol traded on that day', () => {
    const empty = { ...SUMMARISED, [`ohlc AAA 1m ${TUE}`]: 'empty' as const }
    expect(
      asked({ traded: [traded('AAA', TUE, null), traded('AAA', MON), traded('BBB', TUE)] }, empty),
    ).toEqual([`AAA 1m ${MON} ${MON}`, `BBB 1m ${TUE} ${TUE}`])
  })
})

describe('candles that break a rule', () => {
  const STORED = { ...SUMMARISED, ...statesOn('ohlc AAA 1m', WEEK, 'complete') }
  const broken = (symbol: string, day: string, timeframe: Timeframe = '1m', why = 'rule 8 is broken') => ({
    symbol,
    timeframe,
    day,
    why,
  })
  const everyDay = WEEK.map((day) => traded('AAA', day))

  test('are requested again by a goal that retries them, although their windows are complete', () => {
    const coverage = { traded: everyDay, broken: [broken('AAA', TUE)] }
    expect(asked(coverage, STORED, { retriesBroken: true })).toEqual([`AAA 1m ${TUE} ${TUE}`])
    expect(asked(coverage, STORED)).toEqual([])
    expect(asked({ broken: [broken('AAA', TUE)] }, STORED, { retriesBroken: true })).toEqual([
      `AAA 1m ${TUE} ${TUE}`,
    ])
  })

  test('are requested once, however many rules they break and whatever else requests them', () => {
    const unfinished = [{ symbol: 'AAA', timeframe: '1m', day: TUE }] as const
    const both = [broken('AAA', TUE), broken('AAA', TUE, '1m', 'rule 1 is broken')]
    const states = { ...STORED, [`ohlc AAA 1m ${TUE}`]: 'incomplete' as const }
    expect(asked({ unfinished, broken: both }, states, { retriesBroken: true })).toEqual([
      `AAA 1m ${TUE} ${TUE}`,
    ])
  })

  test('share a request with a new session of their symbol; it gives both reasons', () => {
    const { [`ohlc AAA 1m ${WED}`]: _, ...states } = STORED
    const coverage = coverageOf({ traded: everyDay, broken: [broken('AAA', TUE)] }, states)
    const { requests } = planCandles(goalOf({ retriesBroken: true }), WEEK, coverage, FIRST_SERVED)
    expect(requests).toEqual([
      expect.objectContaining({
        key: 'AAA',
        from: TUE,
        to: WED,
        pages: 1,
        why: `${WED} not stored yet; rule 8 is broken`,
      }),
    ])
  })

  test('are requested only for the wanted symbols, within the sessions, and while they are served', () => {
    const coverage = { broken: [broken('AAA', TUE), broken('BBB', TUE), broken('BBB', '2025-03-07')] }
    const goal = { retriesBroken: true, symbols: ['BBB'] }
    expect(asked(coverage, STORED, goal)).toEqual([`BBB 1m ${TUE} ${TUE}`])
    const { requests } = planCandles(goalOf(goal), WEEK, coverageOf(coverage, STORED), WED)
    expect(requests).toEqual([])
  })

  test('of a longer timeframe are requested by a goal with cross-checks', () => {
    const coverage = { broken: [broken('AAA', TUE, '5m'), broken('AAA', WED, '1d')] }
    expect(asked(coverage, STORED, { retriesBroken: true, crossChecks: 3 })).toEqual([
      `AAA 5m ${TUE} ${TUE}`,
      `AAA 1d ${WED} ${WED}`,
    ])
    expect(asked(coverage, STORED, { retriesBroken: true })).toEqual([])
    const states = { ...STORED, [`ohlc AAA 5m ${TUE}`]: 'incomplete' as const }
    const unfinished = [{ symbol: 'AAA', timeframe: '5m', day: TUE }] as const
    expect(
      asked({ ...coverage, unfinished }, states, { retriesBroken: true, crossChecks: 3 }).filter((request) =>
        request.includes('5m'),
      ),
    ).toEqual([`AAA 5m ${TUE} ${TUE}`])
  })
})

describe('incomplete candles', () => {
  test('are requested again, although nothing else requests them any more', () => {
    const unfinished = [
      { symbol: 'AAA', timeframe: '1m', day: MON },
      { symbol: 'AAA', timeframe: '1m', day: FRI },
      { symbol: 'BBB', timeframe: '5m', day: MON },
    ] as const
    expect(asked({ unfinished })).toEqual([`AAA 1m ${MON} ${FRI}`])
    expect(asked({ unfinished, traded: [traded('AAA', WED)] })).toEqual([`AAA 1m ${MON} ${FRI}`])
  })

  test('are requested only for the wanted symbols', () => {
    const unfinished = ['AAA', 'BBB'].map((symbol) => ({ symbol, timeframe: '1m', day: MON }) as const)
    expect(asked({ unfinished }, SUMMARISED, { symbols: ['BBB'] })).toEqual([`BBB 1m ${MON} ${MON}`])
  })
})

describe('a session without a complete summary', () => {
  const without = (day: string, state?: CoverageState): Record<string, CoverageState> => {
    const { [`securitiesSummary * ${day}`]: _, ...others } = SUMMARISED
    return state === undefined ? others : { ...others, [`securitiesSummary * ${day}`]: state }
  }

  test('requests every listed symbol but those without a match', () => {
    expect(asked({ traded: [traded('AAA', TUE, false)] }, without(TUE))).toEqual([`BBB 1m ${TUE} ${TUE}`])
    // Without a match on another day is not without a match on this one.
    expect(asked({ traded: [traded('AAA', MON, false)] }, without(TUE))).toEqual([
      `AAA 1m ${TUE} ${TUE}`,
      `BBB 1m ${TUE} ${TUE}`,
    ])
  })

  test('requests only wanted symbols', () => {
    expect(asked({}, without(TUE), { symbols: ['BBB'] })).toEqual([`BBB 1m ${TUE} ${TUE}`])
    expect(asked({ traded: [traded('BBB', TUE, false)] }, without(TUE), { symbols: ['BBB'] })).toEqual([])
  })

  test('requests no symbol that has a summary of its own', () => {
    const states = { ...without(TUE), [`securitiesSummary AAA ${TUE}`]: 'empty' as const }
    expect(asked({}, states)).toEqual([`BBB 1m ${TUE} ${TUE}`])
  })

  test('requests nothing before the data of the service', () => {
    expect(asked({}, without(TUE, 'refused'))).toEqual([])
    expect(asked({}, without(TUE, 'incomplete'))).toHaveLength(2)
  })

  test('requests symbols where the service refuses only the whole market', () => {
    expect(asked({ summaryForm: 'symbol' }, without(TUE, 'refused'))).toHaveLength(2)
  })
})

describe('page walks', () => {
  const sessions = loadCalendar().sessionsBetween('2024-01-02', '2024-12-31')
  const walks = (
    timeframe: '1m' | '1h' | '1d',
    wanted: readonly string[],
    firstServed = '2023-01-01',
  ): string[] =>
    candleWalks('FPT', timeframe, wanted, sessions, firstServed, () => 'why').map(
      ({ from, to, pages }) => `${from} ${to} ${pages}`,
    )

  test('over intraday candles have at most 66 sessions', () => {
    expect(walks('1h', sessions.slice(0, 66))).toEqual([`${sessions[0]} ${sessions[65]} 1`])
    expect(walks('1h', sessions.slice(0, 67))).toEqual([
      `${sessions[0]} ${sessions[65]} 1`,
      `${sessions[66]} ${sessions[66]} 1`,
    ])
  })

  test('over daily bars take a year at once', () => {
    expect(walks('1d', sessions)).toEqual([`${sessions[0]} ${sessions.at(-1)} 1`])
  })

  test('over minutes have 227 bars per session', () => {
    // 44 sessions are 9,988 bars, 45 are 10,215.
    expect(walks('1m', sessions.slice(0, 44))).toEqual([`${sessions[0]} ${sessions[43]} 10`])
    expect(walks('1m', sessions.slice(0, 45))).toEqual([`${sessions[0]} ${sessions[44]} 11`])
  })

  test('request the first served day alone, and count what is left', () => {
    const [first = '', second = ''] = sessions
    const reasons: unknown[] = []
    const split = candleWalks('FPT', '1m', sessions.slice(0, 5), sessions, first, (range) => {
      reasons.push(range)
      return 'why'
    })
    expect(split.map(({ from, to, pages }) => [from, to, pages])).toEqual([
      [first, first, 1],
      [second, sessions[4], 1],
    ])
    expect(reasons).toEqual([
      { from: first, to: first, wanted: 1, sessions: 1 },
      { from: second, to: sessions[4], wanted: 4, sessions: 4 },
    ])
    // Daily bars have no boundary, and one session is alone already.
    expect(walks('1d', sessions.slice(0, 5), first)).toEqual([`${first} ${sessions[4]} 1`])
    expect(walks('1m', [first], first)).toEqual([`${first} ${first} 1`])
  })
})

test('requests are sorted by first day, symbol and timeframe; daily bars come last', () => {
  const days = [traded('BBB', MON), traded('AAA', TUE), traded('AAA', MON)]
  const goal = { timeframes: ['5m', '1d', '1m'] } as const
  const states = { ...SUMMARISED, ...statesOn('ohlc AAA 5m', [MON], 'complete') }
  expect(asked({ traded: days }, states, goal)).toEqual([
    `AAA 1m ${MON} ${TUE}`,
    `BBB 1m ${MON} ${MON}`,
    `BBB 5m ${MON} ${MON}`,
    `AAA 5m ${TUE} ${TUE}`,
    `AAA 1d ${MON} ${TUE}`,
    `BBB 1d ${MON} ${MON}`,
  ])
})
