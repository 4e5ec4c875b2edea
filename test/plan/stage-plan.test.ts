import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { describe, expect, test } from 'vitest'
import { backfill } from '../../jobs/backfill.js'
import { nightly as job } from '../../jobs/nightly.js'
import type { Coverage, CoverageState } from '../../src/plan/coverage.js'
import { noCoverage } from '../../src/plan/coverage.js'
import type { Goal } from '../../src/plan/goal.js'
import { planStage } from '../../src/plan/stage-plan.js'
import { backfillGoals, nightlyGoal, tradingDateOf } from '../../src/run/jobs/goals.js'

const calendar = loadCalendar()
const WEEK = ['2025-03-10', '2025-03-11', '2025-03-12', '2025-03-13', '2025-03-14']
/** Without cross-checks: they are asked beside, and have tests of their own. */
const nightly: Goal = {
  ...nightlyGoal(job, { tradingDate: '2025-03-14', sessions: undefined, symbols: undefined }, calendar),
  crossChecks: 0,
}

function coverageOf(changes: Partial<Coverage>, states: Record<string, CoverageState> = {}): Coverage {
  return {
    ...noCoverage,
    listed: ['AAA', 'BBB'],
    indexes: ['VNINDEX', 'VN30'],
    ...changes,
    stateOf: (dataset, key, timeframe, day) =>
      states[`${dataset} ${key} ${timeframe} ${day}`] ?? states[`${dataset} ${key} ${timeframe} *`],
  }
}

const traded = (symbol: string, days: readonly string[], didTrade: boolean | null = true) =>
  days.map((day) => ({ symbol, day, traded: didTrade }))

const summarised = { 'securitiesSummary *  *': 'complete' } as const

function asked(goal: Goal, state: Coverage) {
  return planStage('candles', goal, state, calendar).requests.map(
    ({ key, timeframe, from, to, pages }) => `${key} ${timeframe} ${from} ${to} ${pages}`,
  )
}

describe('the sessions of a nightly', () => {
  test('works for the latest closed session and never for a future day', () => {
    const friday = Date.parse('2025-03-14T07:59:00Z')
    expect(tradingDateOf(undefined, calendar, friday)).toBe('2025-03-13')
    expect(tradingDateOf(undefined, calendar, friday + 60_000)).toBe('2025-03-14')
    expect(tradingDateOf('2025-03-14', calendar, friday)).toBe('2025-03-14')
    expect(() => tradingDateOf('2025-03-15', calendar, friday)).toThrow('is in the future')
  })

  test('works for the session before a day without trading', () => {
    const later = Date.parse('2025-06-01T00:00:00Z')
    for (const day of ['2025-03-14', '2025-03-15', '2025-03-16'])
      expect(tradingDateOf(day, calendar, later)).toBe('2025-03-14')
    expect(tradingDateOf('2025-05-01', calendar, later)).toBe('2025-04-29')
    const opened = loadCalendar([{ day: '2025-03-15', isSession: true, closedFor: '', source: '' }])
    expect(tradingDateOf('2025-03-16', opened, later)).toBe('2025-03-15')
  })

  test('spans its sessions over weekends and closed days', () => {
    expect(
      nightlyGoal(job, { tradingDate: '2025-05-05', sessions: 3, symbols: undefined }, calendar),
    ).toMatchObject({
      from: '2025-04-28',
      to: '2025-05-05',
    })
  })
})

describe('the first requests of a nightly', () => {
  test('requests four lists, then members by index, summaries and limits in one window, indexes by session', () => {
    expect(planStage('lists', nightly, noCoverage, calendar).requests).toHaveLength(4)
    const daily = planStage('daily', nightly, coverageOf({}), calendar).requests
    expect(daily.filter((each) => each.dataset === 'indexMembers')).toHaveLength(2)
    expect(daily.filter((each) => each.dataset === 'indexSummary')).toHaveLength(10)
    expect(daily.filter((each) => each.dataset === 'securitiesSummary')).toMatchObject([
      { key: '*', from: '2025-03-10', to: '2025-03-14', pages: 1 },
    ])
    expect(daily.filter((each) => each.dataset === 'masterdata')).toHaveLength(1)
  })

  test('requests a week of candles of a symbol that traded in one window per timeframe', () => {
    const goal: Goal = { ...nightly, timeframes: ['1m', '1d'] }
    const state = coverageOf({ traded: traded('AAA', WEEK) }, summarised)
    expect(asked(goal, state)).toEqual(['AAA 1m 2025-03-10 2025-03-14 2', 'AAA 1d 2025-03-10 2025-03-14 1'])
    // A night has daily bars from the summaries.
    expect(asked(nightly, state)).toEqual(['AAA 1m 2025-03-10 2025-03-14 2'])
  })

  test('requests no candles where the summary has no matched volume', () => {
    expect(asked(nightly, coverageOf({ traded: traded('AAA', WEEK, false) }, summarised))).toEqual([])
  })

  test('requests candles of a listed symbol when its session has no complete summary', () => {
    const coverage = { ...summarised, 'securitiesSummary *  2025-03-14': 'incomplete' } as const
    expect(asked(nightly, coverageOf({ traded: traded('AAA', ['2025-03-14']) }, coverage))).toEqual([
      'AAA 1m 2025-03-14 2025-03-14 1',
      'BBB 1m 2025-03-14 2025-03-14 1',
    ])
  })

  test('--symbols limits summaries and candles', () => {
    const goal = { ...nightly, symbols: ['AAA'] }
    const state = coverageOf(
      { traded: [...traded('AAA', ['2025-03-14']), ...traded('BBB', ['2025-03-14'])] },
      summarised,
    )
    expect(asked(goal, state)).toEqual(['AAA 1m 2025-03-14 2025-03-14 1'])
    const daily = planStage('daily', goal, state, calendar).requests
    expect(daily.filter((each) => each.dataset === 'securitiesSummary').map((each) => each.key)).toEqual([
      'AAA',
    ])
  })
})

describe('what a nightly requests again', () => {
  test('the next night requests candles of one session, and daily datasets for their window again', () => {
    const coverage: Record<string, CoverageState> = { ...summarised }
    for (const day of WEEK.slice(0, 4)) coverage[`ohlc AAA 1m ${day}`] = 'complete'
    const state = coverageOf({ traded: traded('AAA', WEEK) }, coverage)
    expect(asked(nightly, state)).toEqual(['AAA 1m 2025-03-14 2025-03-14 1'])
    expect(planStage('daily', nightly, state, calendar).requests).toHaveLength(2 + 10 + 1 + 1)
  })

  test('verified empty and refused windows are not requested again, incomplete ones are', () => {
    const coverage: Record<string, CoverageState> = {
      ...summarised,
      'ohlc AAA 1m *': 'empty',
      'ohlc AAA 1d *': 'refused',
      'ohlc AAA 1m 2025-03-12': 'incomplete',
    }
    expect(asked(nightly, coverageOf({ traded: traded('AAA', WEEK, null) }, coverage))).toEqual([
      'AAA 1m 2025-03-12 2025-03-12 1',
    ])
  })

  test('nothing for a day with matched volume contradicts its summary and is requested again', () => {
    const coverage: Record<string, CoverageState> = {
      ...summarised,
      'ohlc AAA 1m *': 'empty',
      'ohlc AAA 1d *': 'complete',
    }
    expect(asked(nightly, coverageOf({ traded: traded('AAA', ['2025-03-12']) }, coverage))).toEqual([
      'AAA 1m 2025-03-12 2025-03-12 1',
    ])
  })

  test('requests candles again that break a rule; a backfill does not', () => {
    const day = '2025-03-13'
    const broken = [{ symbol: 'AAA', timeframe: '1m', day, why: 'rule 8 is broken' }] as const
    const stored = coverageOf({ broken }, { ...summarised, 'ohlc AAA 1m *': 'complete' })
    const range = { dataset: 'ohlc', from: day, to: day, timeframe: undefined, symbols: undefined } as const
    expect(asked(nightly, stored)).toEqual([`AAA 1m ${day} ${day} 1`])
    for (const goal of backfillGoals(backfill, '2025-03-14', range, calendar))
      expect(asked(goal, stored)).toEqual([])
  })

  test('sessions before the data of the service are not refreshed, those after them are', () => {
    const before = coverageOf({}, { 'masterdata *  2025-03-13': 'refused' })
    const limits = planStage('daily', { ...nightly, from: '2025-03-12' }, before, calendar).requests.filter(
      (each) => each.dataset === 'masterdata',
    )
    expect(limits.map(({ from, to }) => [from, to])).toEqual([['2025-03-14', '2025-03-14']])
  })
})

describe('a nightly where the whole market is not answered', () => {
  test('a market without summaries is probed with one symbol; a deployment that answers by symbol is asked by symbol', () => {
    const keys = (state: Coverage): string[] =>
      planStage('daily', nightly, state, calendar)
        .requests.filter((each) => each.dataset === 'securitiesSummary')
        .map((each) => each.key)
    const nothing = Object.fromEntries(WEEK.map((day) => [`securitiesSummary *  ${day}`, 'empty' as const]))
    expect(keys(coverageOf({}, nothing))).toEqual(['*', 'AAA'])
    expect(keys(coverageOf({ summaryForm: 'symbol' }, nothing))).toEqual(['AAA', 'BBB'])
    expect(keys(coverageOf({}, {}))).toEqual(['*'])
  })

  test('where the whole market is refused, asks for one symbol first, and for all once symbols are answered', () => {
    const keysOf = (coverage: Coverage): string[] =>
      planStage('daily', nightly, coverage, calendar)
        .requests.filter((each) => each.dataset === 'securitiesSummary')
        .map((each) => each.key)
    const isRefusedQuery = (_: string, key: string): boolean => key === '*'
    const refused = { ...coverageOf({ delisted: ['OLD'] }), isRefusedQuery }
    expect(keysOf(refused)).toEqual(['*', 'AAA'])
    expect(keysOf({ ...refused, summaryForm: 'symbol' })).toEqual(['AAA', 'BBB', 'OLD'])
  })
})

describe('a backfill', () => {
  const range = {
    dataset: 'ohlc',
    from: '2022-01-03',
    to: '2025-03-14',
    timeframe: undefined,
    symbols: undefined,
  } as const

  const periods = (goals: readonly Goal[]): string[][] => goals.map(({ from, to }) => [from, to])

  test('without a first day goes back as far as a return over 250 sessions needs, for daily data alone', () => {
    const goals = backfillGoals(
      backfill,
      '2025-03-14',
      { ...range, dataset: 'all', from: undefined },
      calendar,
    )
    // A year of 250 sessions, the one on which it begins included: one more is needed.
    expect(calendar.sessionsBetween('2024-03-14', '2025-03-14')).toHaveLength(250)
    expect(periods(goals)).toEqual([
      ['2024-03-14', '2025-03-14'],
      ['2024-03-13', '2024-03-13'],
    ])
    expect(goals.map(({ datasets }) => datasets.includes('ohlc'))).toEqual([true, false])
    for (const dataset of ['securitiesSummary', 'masterdata', 'indexSummary'] as const) {
      const daily = backfillGoals(backfill, '2025-03-14', { ...range, dataset, from: undefined }, calendar)
      expect(periods(daily)).toContainEqual(['2024-03-13', '2024-03-13'])
    }
    const candles = backfillGoals(backfill, '2025-03-14', { ...range, from: undefined }, calendar)
    expect(periods(candles)).toEqual([['2024-03-14', '2025-03-14']])
  })

  test('fills the year that expires first, then the years before it', () => {
    expect(periods(backfillGoals(backfill, '2025-03-14', range, calendar))).toEqual([
      ['2024-03-14', '2025-03-14'],
      ['2023-03-14', '2024-03-13'],
      ['2022-03-14', '2023-03-13'],
      ['2022-01-03', '2022-03-13'],
    ])
  })

  test('requests nothing intraday before one year back, and reports what it skipped', () => {
    const days = calendar.sessionsBetween('2024-03-11', '2024-03-20')
    const window = { from: '2024-03-11', to: '2024-03-20', refresh: false }
    const goal: Goal = { ...nightly, ...window, timeframes: ['1m', '1d'] }
    const plan = planStage('candles', goal, coverageOf({ traded: traded('AAA', days) }, summarised), calendar)
    const intraday = plan.requests.filter((each) => each.timeframe === '1m')
    // The day on the boundary stands alone: a stricter service may refuse it.
    expect(intraday.map(({ from, to }) => [from, to])).toEqual([
      ['2024-03-14', '2024-03-14'],
      ['2024-03-15', '2024-03-20'],
    ])
    expect(plan.requests.filter((each) => each.timeframe === '1d')).toMatchObject([
      { from: '2024-03-11', to: '2024-03-20' },
    ])
    expect(plan.skipped).toMatchObject([{ from: '2024-03-11', to: '2024-03-13' }])
  })

  test('a month of daily bars costs one request, a year one too', () => {
    const year = calendar.sessionsBetween('2024-03-14', '2025-03-14')
    const goal: Goal = { ...nightly, from: '2024-03-14', refresh: false, timeframes: ['1d'] }
    expect(asked(goal, coverageOf({ traded: traded('AAA', year) }, summarised))).toEqual([
      'AAA 1d 2024-03-14 2025-03-14 1',
    ])
  })

  test('oldest minutes first, across symbols', () => {
    const year = calendar.sessionsBetween('2024-06-03', '2025-03-14')
    const goal: Goal = { ...nightly, from: '2024-06-03', refresh: false, timeframes: ['1m'] }
    const plan = planStage(
      'candles',
      goal,
      coverageOf({ traded: [...traded('AAA', year), ...traded('BBB', year)] }, summarised),
      calendar,
    )
    const starts = plan.requests.map((each) => each.from)
    expect(starts).toEqual([...starts].sort())
    expect(plan.requests.slice(0, 2).map((each) => each.key)).toEqual(['AAA', 'BBB'])
  })

  test('joins missing sessions over complete ones only where it saves a request', () => {
    const days = calendar.sessionsBetween('2025-02-03', '2025-03-14')
    const coverage: Record<string, CoverageState> = { ...summarised, 'ohlc AAA 1m *': 'complete' }
    for (const day of ['2025-03-10', '2025-03-12', '2025-02-04'])
      coverage[`ohlc AAA 1m ${day}`] = 'incomplete'
    const goal: Goal = { ...nightly, from: '2025-02-03', refresh: false, timeframes: ['1m'] }
    expect(asked(goal, coverageOf({ traded: traded('AAA', days) }, coverage))).toEqual([
      'AAA 1m 2025-02-04 2025-02-04 1',
      'AAA 1m 2025-03-10 2025-03-12 1',
    ])
  })

  test('requests only the sessions that are not known, a month at a time', () => {
    const coverage: Record<string, CoverageState> = {
      'masterdata *  *': 'complete',
      'masterdata *  2025-02-05': 'incomplete',
    }
    const goal: Goal = { ...nightly, from: '2025-02-03', refresh: false, datasets: ['masterdata'] }
    expect(planStage('daily', goal, coverageOf({}, coverage), calendar).requests).toMatchObject([
      { from: '2025-02-05', to: '2025-02-05' },
    ])
  })

  test('refuses a range that is empty or in the future', () => {
    expect(() => backfillGoals(backfill, '2025-03-14', { ...range, from: '2025-03-15' }, calendar)).toThrow(
      '--from 2025-03-15 is after --to',
    )
    expect(() => backfillGoals(backfill, '2025-03-14', { ...range, to: '2025-03-17' }, calendar)).toThrow(
      'after the trading date',
    )
  })
})
