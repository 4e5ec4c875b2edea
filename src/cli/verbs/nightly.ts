import { readDay, whole } from 'candlehouse-foundation/command-line/argument'
import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Command } from 'commander'
import { nightly } from '../../../jobs/nightly.js'
import type { Effects } from '../../effects.js'
import { closedDayNotes, nightlyGoal, tradingDateOf } from '../../run/jobs/goals.js'
import type { RunSpec } from '../../run/jobs/run-spec.js'
import { readCalendarDays } from '../../settings/calendar-file.js'
import { againOf } from '../again.js'
import { symbolList } from '../argument.js'
import { execute } from '../execute.js'
import {
  type AcceptOptions,
  acceptOf,
  allowUnknownOption,
  type Call,
  type CommonOptions,
  type Edge,
  maxHoursOption,
  prepareCall,
  retainOption,
  verb,
  withAccept,
} from '../verb.js'

export interface NightlyOptions {
  date?: Day
  sessions?: number
  symbols?: string[]
  allowUnknown?: true
  skipAccounts?: true
}

export function nightlyVerb(edge: Edge, effects: Effects): Command {
  return withAccept(withNightlyOptions(verb('nightly', nightly.about)))
    .addOption(retainOption())
    .addOption(maxHoursOption())
    .option('--dry-run', 'show which requests would be sent and why; send none')
    .action(async (options: CommonOptions & NightlyOptions & AcceptOptions & { dryRun?: true }) => {
      const call = await prepareCall(options, edge, effects)
      const override = acceptOf(options)
      await execute({ ...nightlySpec(options, call), override }, options.dryRun === true, call)
    })
}

/** Adds the options that `nightly` and `plan nightly` share. */
export function withNightlyOptions(command: Command): Command {
  return command
    .option('--date <day>', 'trading date of the run (default: the latest closed session)', readDay)
    .option(
      '--sessions <count>',
      `number of sessions up to --date to complete (default: ${nightly.window.count})`,
      whole(1, 2_600),
    )
    .option('--symbols <list>', 'fetch only these symbols, separated by commas', symbolList)
    .addOption(allowUnknownOption())
    .option('--skip-accounts', 'fetch market data only')
}

export function nightlySpec(options: NightlyOptions, call: Call): RunSpec {
  const calendar = loadCalendar(readCalendarDays(call.settings.home))
  const tradingDate = tradingDateOf(options.date, calendar, call.effects.now())
  const { sessions, symbols, allowUnknown } = options
  return {
    name: nightly.name,
    tradingDate,
    goals: [nightlyGoal(nightly, { tradingDate, sessions, symbols, allowUnknown }, calendar)],
    accounts: options.skipAccounts ? 'none' : 'beside',
    notes: closedDayNotes(options.date, calendar),
    again: againOf([nightly.name], options),
  }
}
