import type { Command } from 'commander'
import { nightly } from '../../../jobs/nightly.js'
import type { Effects } from '../../effects.js'
import { loadCalendar } from '../../market/calendar.js'
import type { Day } from '../../market/day.js'
import { nightlyGoal, tradingDateOf } from '../../run/jobs/goals.js'
import type { RunSpec } from '../../run/lifecycle/with-run.js'
import { execute } from '../execute.js'
import {
  type AcceptOptions,
  acceptOf,
  type Call,
  type CommonOptions,
  day,
  type Edge,
  retainOption,
  settle,
  symbolList,
  verb,
  whole,
  withAccept,
} from '../verb.js'

export interface NightlyOptions {
  date?: Day
  sessions?: number
  symbols?: string[]
  skipAccounts?: true
}

export function nightlyVerb(edge: Edge, effects: Effects): Command {
  return withAccept(withNightlyOptions(verb('nightly', nightly.about)))
    .addOption(retainOption())
    .option('--dry-run', 'show what would be asked for and why; send nothing')
    .action(async (options: CommonOptions & NightlyOptions & AcceptOptions & { dryRun?: true }) => {
      const call = settle(options, edge, effects)
      const accept = acceptOf(options)
      await execute({ ...nightlySpec(options, call), accept }, options.dryRun === true, call)
    })
}

/** Options that `nightly` and its plan share. */
export function withNightlyOptions(command: Command): Command {
  return command
    .option('--date <day>', 'trading date it works for (default: the latest session that has closed)', day)
    .option(
      '--sessions <count>',
      `sessions up to the date to make complete (default: ${nightly.window.count})`,
      whole(1, 2_600),
    )
    .option('--symbols <list>', 'only these symbols, separated by commas', symbolList)
    .option('--skip-accounts', 'market data only')
}

export function nightlySpec(options: NightlyOptions, call: Call): RunSpec {
  const calendar = loadCalendar()
  const tradingDate = tradingDateOf(options.date, calendar, call.effects.now())
  const wish = { tradingDate, sessions: options.sessions, symbols: options.symbols }
  return {
    name: nightly.name,
    tradingDate,
    goals: [nightlyGoal(nightly, wish, calendar)],
    accounts: options.skipAccounts ? 'none' : 'beside',
    notes: [],
  }
}
