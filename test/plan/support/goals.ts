import type { Day } from 'candlehouse-foundation/market/day'
import type { Timeframe } from 'candlehouse-foundation/market/timeframe'
import { type Coverage, type CoverageState, noCoverage } from '../../../src/plan/coverage.js'
import { DATASETS } from '../../../src/plan/datasets.js'
import type { Goal } from '../../../src/plan/goal.js'

/** Monday to Friday, without a holiday. */
export const WEEK = ['2025-03-10', '2025-03-11', '2025-03-12', '2025-03-13', '2025-03-14'] as const

/** A goal of that week that fetches only missing windows, without cross-checks. */
export function goalOf(given: Partial<Goal> = {}): Goal {
  return {
    tradingDate: '2025-03-14',
    from: '2025-03-10',
    to: '2025-03-14',
    datasets: DATASETS,
    timeframes: ['1m'],
    crossChecks: 0,
    symbols: undefined,
    refresh: false,
    ...given,
  }
}

/** Coverage with states by `dataset key timeframe day`; any other window was never requested. */
export function coverageOf(
  given: Partial<Omit<Coverage, 'stateOf'>> = {},
  states: Readonly<Record<string, CoverageState>> = {},
): Coverage {
  return {
    ...noCoverage,
    listed: ['AAA', 'BBB'],
    indexes: ['VNINDEX', 'VN30'],
    ...given,
    stateOf: (dataset: string, key: string, timeframe: Timeframe | '', day: Day) =>
      states[[dataset, key, timeframe, day].filter((part) => part !== '').join(' ')],
  }
}

/** States of one window name on several days. */
export function statesOn(
  name: string,
  days: readonly Day[],
  state: CoverageState,
): Record<string, CoverageState> {
  return Object.fromEntries(days.map((day) => [`${name} ${day}`, state]))
}
