import { UsageError } from '../errors.js'
import type { Calendar } from '../market/calendar.js'
import { addDays, type Day, dayOf, oneYearBefore } from '../market/day.js'
import type { Timeframe } from '../market/timeframe.js'
import { DATASETS, type DatasetName } from '../plan/datasets.js'
import type { Goal } from '../plan/plan.js'

/**
 * The trading date a run works for: the one given, else the latest session that has closed.
 *
 * @throws UsageError when the date lies ahead: nothing is ever asked past today
 */
export function tradingDateOf(given: Day | undefined, calendar: Calendar, now: number): Day {
  if (given === undefined) return calendar.latestClosedSession(now)
  if (given > dayOf(now)) {
    throw new UsageError(`--date ${given} lies ahead: today is ${dayOf(now)} in exchange time`, {
      hint: 'leave --date out to work for the latest session that has closed',
    })
  }
  return given
}

/** The last `sessions` sessions up to the trading date, complete and asked again. */
export function nightlyGoal(
  tradingDate: Day,
  sessions: number,
  symbols: readonly string[] | undefined,
  calendar: Calendar,
): Goal {
  let from = calendar.isSession(tradingDate) ? tradingDate : calendar.previousSession(tradingDate)
  for (let count = 1; count < sessions; count++) from = calendar.previousSession(from)
  return {
    tradingDate,
    from,
    to: tradingDate,
    datasets: DATASETS,
    timeframes: ['1m', '1d'],
    symbols,
    refresh: true,
  }
}

export interface BackfillRange {
  dataset: 'securitiesSummary' | 'indexSummary' | 'masterdata' | 'ohlc' | 'all'
  from: Day
  to: Day
  timeframe: Timeframe | undefined
  symbols: readonly string[] | undefined
}

/** What each backfill fills, with what it must know first: candles are asked only of symbols that traded. */
const FILLS: Readonly<Record<BackfillRange['dataset'], readonly DatasetName[]>> = {
  securitiesSummary: ['securities', 'securitiesSummary'],
  indexSummary: ['indexes', 'indexSummary'],
  masterdata: ['masterdata'],
  ohlc: ['securities', 'securitiesSummary', 'ohlc'],
  all: DATASETS,
}

/**
 * A backfill as goals of at most a year each: first the year that the service still serves intraday, which
 * expires, then the years before it, latest first, which do not.
 *
 * @throws UsageError when the range is empty or lies ahead
 */
export function backfillGoals(tradingDate: Day, range: BackfillRange): Goal[] {
  if (range.from > range.to) throw new UsageError(`--from ${range.from} is after --to ${range.to}`)
  if (range.to > tradingDate) {
    throw new UsageError(`--to ${range.to} is after the trading date ${tradingDate}`, {
      hint: `use --to ${tradingDate} or earlier`,
    })
  }
  const goals: Goal[] = []
  let limit = oneYearBefore(tradingDate)
  let to = range.to
  while (to >= range.from) {
    const from = [limit, range.from].sort().at(-1) ?? range.from
    if (from <= to) {
      goals.push({
        tradingDate,
        from,
        to,
        datasets: FILLS[range.dataset],
        timeframes: range.timeframe ? [range.timeframe] : ['1m', '1d'],
        symbols: range.symbols,
        refresh: false,
      })
      to = addDays(from, -1)
    }
    limit = oneYearBefore(limit)
  }
  return goals
}
