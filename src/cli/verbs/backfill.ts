import { readDay } from 'candlehouse-foundation/command-line/argument'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Timeframe } from 'candlehouse-foundation/market/timeframe'
import { Argument, type Command } from 'commander'
import { backfill } from '../../../jobs/backfill.js'
import { type BackfillRange, backfillGoals } from '../../run/jobs/goals.js'
import type { RunSpec } from '../../run/jobs/run-spec.js'
import { calendarOf, runFor } from '../again.js'
import { execute } from '../execute.js'
import type { Call, NewVerb, Verb } from '../verb.js'

export type Backfilled = BackfillRange['dataset']

export const BACKFILLED: readonly Backfilled[] = [
  'securitiesSummary',
  'indexSummary',
  'masterdata',
  'ohlc',
  'all',
]

export interface BackfillOptions {
  from?: Day
  to?: Day
  date?: Day
  symbols?: string[]
  allowUnknown?: true
  timeframe?: Timeframe
}

export function backfillVerb(verb: NewVerb): Command {
  return withBackfillOptions(verb('backfill', backfill.about))
    .fetches()
    .addArgument(new Argument('<dataset>', 'dataset to fill').choices(BACKFILLED))
    .dryRun()
    .writes(async (call, dataset: Backfilled, options: BackfillOptions & { dryRun?: true }) => {
      await execute(backfillSpec(dataset, options, call), options.dryRun === true, call)
    })
}

/** Adds the options that `backfill` and `plan backfill` share. */
export function withBackfillOptions(verb: Verb): Verb {
  return verb
    .option(
      '--from <day>',
      'first day to fill (default: one year before the last day; daily data 251 sessions if those are more)',
      readDay,
    )
    .option('--to <day>', 'last day to fill (default: the trading date)', readDay)
    .option(
      '--date <day>',
      'trading date from which the one-year limit is counted (default: the latest closed session)',
      readDay,
    )
    .symbols('fill')
    .timeframe('fetch candles of this length from the service (default: 1m and 1d)')
}

export function backfillSpec(dataset: Backfilled, options: BackfillOptions, call: Call): RunSpec {
  const calendar = calendarOf(call)
  const run = runFor([backfill.name, dataset], options, calendar, call)
  const { tradingDate } = run
  const { from, timeframe, symbols, allowUnknown } = options
  // Nothing was traded between the trading date and the day without trading that stands for it.
  const isBehind = options.to !== undefined && options.date !== undefined && options.to <= options.date
  const to = isBehind && tradingDate < (options.to ?? '') ? tradingDate : options.to
  const range = { dataset, from, to, timeframe, symbols, allowUnknown }
  const goals = backfillGoals(backfill, tradingDate, range, calendar)
  return { ...run, name: backfill.name, goals, accounts: 'none' }
}
