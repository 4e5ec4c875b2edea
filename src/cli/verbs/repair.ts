import { readDay } from 'candlehouse-foundation/command-line/argument'
import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { closedDayNotes, tradingDateOf } from '../../run/jobs/goals.js'
import { readCalendarDays } from '../../settings/calendar-file.js'
import { againOf } from '../again.js'
import { execute } from '../execute.js'
import { type CommonOptions, type Edge, maxHoursOption, prepareCall, retainOption, verb } from '../verb.js'

export function repairVerb(edge: Edge, effects: Effects): Command {
  return verb('repair', 'Fetch again only what is incomplete or breaks a rule')
    .addOption(retainOption())
    .addOption(maxHoursOption())
    .option('--date <day>', 'trading date of the run (default: the latest closed session)', readDay)
    .option('--dry-run', 'show which requests would be sent and why; send none')
    .action(async (options: CommonOptions & { date?: Day; dryRun?: true }) => {
      const call = await prepareCall(options, edge, effects)
      const calendar = loadCalendar(readCalendarDays(call.settings.home))
      const tradingDate = tradingDateOf(options.date, calendar, call.effects.now())
      const notes = closedDayNotes(options.date, calendar)
      const again = againOf(['repair'], options)
      const spec = { name: 'repair', tradingDate, goals: [], accounts: 'none', repair: true, notes } as const
      await execute({ ...spec, again }, options.dryRun === true, call)
    })
}
