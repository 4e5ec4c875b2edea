import { readDay } from 'candlehouse-foundation/command-line/argument'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Command } from 'commander'
import { calendarOf, runFor } from '../again.js'
import { execute } from '../execute.js'
import type { NewVerb } from '../verb.js'

export function repairVerb(verb: NewVerb): Command {
  return verb('repair', 'Fetch again only what is incomplete or breaks a rule')
    .fetches()
    .option('--date <day>', 'trading date of the run (default: the latest closed session)', readDay)
    .dryRun()
    .writes(async (call, options: { date?: Day; dryRun?: true }) => {
      const run = runFor(['repair'], options, calendarOf(call), call)
      const spec = { ...run, name: 'repair', goals: [], accounts: 'none', repair: true } as const
      await execute(spec, options.dryRun === true, call)
    })
}
