import { readDay } from 'candlehouse-foundation/command-line/argument'
import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'
import { TIMEFRAMES, type Timeframe } from 'candlehouse-foundation/market/timeframe'
import { Argument, type Command, Option } from 'commander'
import { backfill } from '../../../jobs/backfill.js'
import type { Effects } from '../../effects.js'
import { type BackfillRange, backfillGoals, closedDayNotes, tradingDateOf } from '../../run/jobs/goals.js'
import type { RunSpec } from '../../run/jobs/run-spec.js'
import { readCalendarDays } from '../../settings/calendar-file.js'
import { againOf } from '../again.js'
import { symbolList } from '../argument.js'
import { execute } from '../execute.js'
import {
  allowUnknownOption,
  type Call,
  type CommonOptions,
  type Edge,
  maxHoursOption,
  prepareCall,
  retainOption,
  verb,
} from '../verb.js'

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

export function backfillVerb(edge: Edge, effects: Effects): Command {
  return withBackfillOptions(verb('backfill', backfill.about))
    .addOption(retainOption())
    .addOption(maxHoursOption())
    .addArgument(new Argument('<dataset>', 'dataset to fill').choices(BACKFILLED))
    .option('--dry-run', 'show which requests would be sent and why; send none')
    .action(async (dataset: Backfilled, options: CommonOptions & BackfillOptions & { dryRun?: true }) => {
      const call = await prepareCall(options, edge, effects)
      await execute(backfillSpec(dataset, options, call), options.dryRun === true, call)
    })
}

/** Adds the options that `backfill` and `plan backfill` share. */
export function withBackfillOptions(command: Command): Command {
  return command
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
    .option('--symbols <list>', 'fill only these symbols, separated by commas', symbolList)
    .addOption(allowUnknownOption())
    .addOption(
      new Option(
        '--timeframe <length>',
        'fetch candles of this length from the service (default: 1m and 1d)',
      ).choices(TIMEFRAMES),
    )
}

export function backfillSpec(dataset: Backfilled, options: BackfillOptions, call: Call): RunSpec {
  const calendar = loadCalendar(readCalendarDays(call.settings.home))
  const tradingDate = tradingDateOf(options.date, calendar, call.effects.now())
  const { from, timeframe, symbols, allowUnknown } = options
  // Nothing was traded between the trading date and the day without trading that stands for it.
  const isBehind = options.to !== undefined && options.date !== undefined && options.to <= options.date
  const to = isBehind && tradingDate < (options.to ?? '') ? tradingDate : options.to
  const range = { dataset, from, to, timeframe, symbols, allowUnknown }
  const goals = backfillGoals(backfill, tradingDate, range, calendar)
  return {
    name: backfill.name,
    tradingDate,
    goals,
    accounts: 'none',
    notes: closedDayNotes(options.date, calendar),
    again: againOf([backfill.name, dataset], options),
  }
}
