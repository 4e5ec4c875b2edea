import type { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { loadCalendar } from '../../market/calendar.js'
import type { Day } from '../../market/day.js'
import { tradingDateOf } from '../../run/jobs/goals.js'
import { createRepair } from '../../run/repair/rounds.js'
import { execute } from '../execute.js'
import { type CommonOptions, day, type Edge, retainOption, settle, verb } from '../verb.js'

export function repairVerb(edge: Edge, effects: Effects): Command {
  return verb('repair', 'ask again what is incomplete or breaks a rule, and nothing else')
    .addOption(retainOption())
    .option('--date <day>', 'trading date it works for (default: the latest session that has closed)', day)
    .option('--dry-run', 'show what would be asked for and why; send nothing')
    .action(async (options: CommonOptions & { date?: Day; dryRun?: true }) => {
      const call = settle(options, edge, effects)
      const tradingDate = tradingDateOf(options.date, loadCalendar(), call.effects.now())
      const repair = createRepair(tradingDate)
      const spec = { name: 'repair', tradingDate, goals: [], accounts: 'none', notes: [], repair } as const
      await execute(spec, options.dryRun === true, call)
    })
}
