import { UsageError } from 'candlehouse-foundation/errors'
import type { Calendar } from 'candlehouse-foundation/market/calendar'
import { addDays, type Day, dayOf, oneYearBefore, weekday } from 'candlehouse-foundation/market/day'
import type { Timeframe } from 'candlehouse-foundation/market/timeframe'
import { DATASETS, type DatasetName, datasets } from '../../plan/datasets.js'
import type { Goal } from '../../plan/goal.js'
import { servedFrom } from '../../plan/served.js'
import type { DataJob } from './job.js'

/**
 * The trading date a run works for: the given date, or else the latest session that has closed. A date without trading stands
 * for the session before it: what the lists and the accounts have on a Sunday is what they had on Friday evening.
 *
 * @throws UsageError when the date is in the future: nothing is requested past today
 */
export function tradingDateOf(given: Day | undefined, calendar: Calendar, now: number): Day {
  if (given === undefined) return calendar.latestClosedSession(now)
  if (given > dayOf(now)) {
    throw new UsageError(`--date ${given} is in the future: today is ${dayOf(now)} in exchange time`, {
      hint: 'omit --date to use the latest session that has closed',
    })
  }
  return calendar.isSession(given) ? given : calendar.previousSession(given)
}

/** A note if the trading date that a person gave is not a session. */
export function closedDayNotes(given: Day | undefined, calendar: Calendar): string[] {
  if (given === undefined || calendar.isSession(given)) return []
  const name = WEEKEND.get(weekday(given))
  const latest = calendar.previousSession(given)
  return [
    `${given} is ${name ? `a ${name}` : 'a holiday'}, not a session: the latest session before it is ${latest}`,
  ]
}

const WEEKEND: ReadonlyMap<number, string> = new Map([
  [0, 'Sunday'],
  [6, 'Saturday'],
])

/**
 * The goal of a nightly: the last sessions up to the trading date. Complete daily windows are fetched again, and so are candles
 * that break a rule of severity `error`.
 */
export function nightlyGoal(
  job: DataJob,
  options: {
    tradingDate: Day
    sessions: number | undefined
    symbols: readonly string[] | undefined
    allowUnknown?: boolean | undefined
  },
  calendar: Calendar,
): Goal {
  const { tradingDate, symbols, allowUnknown } = options
  let from = calendar.isSession(tradingDate) ? tradingDate : calendar.previousSession(tradingDate)
  const sessions = options.sessions ?? job.window.count
  for (let count = 1; count < sessions; count++) from = calendar.previousSession(from)
  return {
    tradingDate,
    from,
    to: tradingDate,
    datasets: datasetsOfSteps(job, DATASETS),
    timeframes: job.timeframes,
    crossChecks: symbols ? 0 : (job.crossChecks ?? 0),
    symbols,
    mustBeKnown: allowUnknown ? undefined : symbols,
    refresh: true,
    retriesBroken: true,
  }
}

/** Those of the datasets whose stage is a step of the job. */
function datasetsOfSteps(job: DataJob, names: readonly DatasetName[]): readonly DatasetName[] {
  return names.filter((name) => {
    const { stage } = datasets[name]
    return stage !== null && job.steps.includes(stage)
  })
}

export interface BackfillRange {
  dataset: 'securitiesSummary' | 'indexSummary' | 'masterdata' | 'ohlc' | 'all'
  /** First day. @default the start of the job's own window */
  from: Day | undefined
  /** Last day. @default the trading date */
  to: Day | undefined
  timeframe: Timeframe | undefined
  symbols: readonly string[] | undefined
  allowUnknown?: boolean | undefined
}

/** Datasets of each backfill, with those that it needs first: candles are only requested for symbols that traded. */
const FILLS: Readonly<Record<BackfillRange['dataset'], readonly DatasetName[]>> = {
  securitiesSummary: ['securities', 'securitiesSummary'],
  indexSummary: ['indexes', 'indexSummary'],
  masterdata: ['masterdata'],
  ohlc: ['securities', 'securitiesSummary', 'ohlc'],
  all: DATASETS,
}

/** Sessions that a return over 250 sessions needs (`mart.daily_return.return_250`); a year has 247 to 250. */
const SESSIONS_OF_A_YEARS_RETURN = 251

/**
 * The goals of a backfill, of at most one year each. First comes the year whose intraday candles the service still serves,
 * because they expire; then the years before it, latest first. Without a first day, the daily datasets go a few sessions further
 * back than the year: as far as the last session's return over 250 sessions needs.
 *
 * @throws UsageError when the range is empty or in the future
 */
export function backfillGoals(
  job: DataJob,
  tradingDate: Day,
  range: BackfillRange,
  calendar: Calendar,
): Goal[] {
  const last = range.to ?? tradingDate
  const first = range.from ?? windowStart(job, last)
  if (first > last) {
    throw new UsageError(`--from ${first} is after --to ${last}`, { hint: 'give the earlier day as --from' })
  }
  if (last > tradingDate) {
    throw new UsageError(`--to ${last} is after the trading date ${tradingDate}`, {
      hint: `use --to ${tradingDate} or earlier`,
    })
  }
  const goals: Goal[] = []
  let yearStart = servedFrom(tradingDate)
  let to = last
  while (to >= first) {
    const from = [yearStart, first].sort().at(-1) ?? first
    if (from <= to) {
      goals.push({
        tradingDate,
        from,
        to,
        datasets: datasetsOfSteps(job, FILLS[range.dataset]),
        timeframes: range.timeframe ? [range.timeframe] : job.timeframes,
        crossChecks: 0,
        symbols: range.symbols,
        mustBeKnown: range.allowUnknown ? undefined : range.symbols,
        refresh: false,
      })
      to = addDays(from, -1)
    }
    yearStart = oneYearBefore(yearStart)
  }
  const [latest] = goals
  return latest && range.from === undefined ? [...goals, ...leadIn(latest, first, calendar)] : goals
}

/** A goal for the sessions before `first` that returns of the latest goal need: only daily datasets, which do not expire. */
function leadIn(latest: Goal, first: Day, calendar: Calendar): Goal[] {
  if (latest.datasets.includes('ohlc') && !latest.datasets.includes('masterdata')) return []
  let from = calendar.isSession(latest.to) ? latest.to : calendar.previousSession(latest.to)
  for (let count = 1; count < SESSIONS_OF_A_YEARS_RETURN; count++) from = calendar.previousSession(from)
  if (from >= first) return []
  return [
    { ...latest, from, to: addDays(first, -1), datasets: latest.datasets.filter((name) => name !== 'ohlc') },
  ]
}

function windowStart(job: DataJob, to: Day): Day {
  let from = to
  for (let years = 0; years < job.window.count; years++) from = oneYearBefore(from)
  return from
}
