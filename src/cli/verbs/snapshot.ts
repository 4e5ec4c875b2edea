import type { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { loadCalendar } from '../../market/calendar.js'
import { type Day, dayOf } from '../../market/day.js'
import { tradingDateOf } from '../../run/jobs/goals.js'
import { execute } from '../execute.js'
import { type CommonOptions, day, type Edge, retainOption, settle, verb } from '../verb.js'

export function snapshotVerb(edge: Edge, effects: Effects): Command {
  return verb('snapshot', 'accounts and orders only: balances, margins, positions, orders, as now')
    .addOption(retainOption())
    .option('--date <day>', 'trading date it stands for (default: today, or the latest session)', day)
    .action(async (options: CommonOptions & { date?: Day }) => {
      const call = settle(options, edge, effects)
      const calendar = loadCalendar()
      const now = call.effects.now()
      const today = dayOf(now)
      const latest = calendar.isSession(today) ? today : calendar.previousSession(today)
      await execute(
        {
          name: 'snapshot',
          tradingDate: tradingDateOf(options.date ?? latest, calendar, now),
          goals: [],
          accounts: 'only',
          notes: [],
        },
        false,
        call,
      )
    })
}
