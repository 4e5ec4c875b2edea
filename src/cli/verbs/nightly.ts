import { readDay, whole } from 'candlehouse-foundation/command-line/argument'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Command } from 'commander'
import { nightly } from '../../../jobs/nightly.js'
import { nightlyGoal } from '../../run/jobs/goals.js'
import type { RunSpec } from '../../run/jobs/run-spec.js'
import { calendarOf, runFor } from '../again.js'
import { execute } from '../execute.js'
import { type AcceptOptions, acceptOf, type Call, type NewVerb, type Verb } from '../verb.js'

export interface NightlyOptions {
  date?: Day
  sessions?: number
  symbols?: string[]
  allowUnknown?: true
  skipAccounts?: true
}

export function nightlyVerb(verb: NewVerb): Command {
  return withNightlyOptions(verb('nightly', nightly.about))
    .accept()
    .fetches()
    .dryRun()
    .writes(async (call, options: NightlyOptions & AcceptOptions & { dryRun?: true }) => {
      const override = acceptOf(options)
      await execute({ ...nightlySpec(options, call), override }, options.dryRun === true, call)
    })
}

/** Adds the options that `nightly` and `plan nightly` share. */
export function withNightlyOptions(verb: Verb): Verb {
  return verb
    .option('--date <day>', 'trading date of the run (default: the latest closed session)', readDay)
    .option(
      '--sessions <count>',
      `number of sessions up to --date to complete (default: ${nightly.window.count})`,
      whole(1, 2_600),
    )
    .symbols('fetch')
    .option('--skip-accounts', 'fetch market data only')
}

export function nightlySpec(options: NightlyOptions, call: Call): RunSpec {
  const calendar = calendarOf(call)
  const run = runFor([nightly.name], options, calendar, call)
  const { sessions, symbols, allowUnknown } = options
  const { tradingDate } = run
  return {
    ...run,
    name: nightly.name,
    goals: [nightlyGoal(nightly, { tradingDate, sessions, symbols, allowUnknown }, calendar)],
    accounts: options.skipAccounts ? 'none' : 'beside',
  }
}
