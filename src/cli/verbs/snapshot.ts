import { readDay } from 'candlehouse-foundation/command-line/argument'
import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import { type Day, dayOf } from 'candlehouse-foundation/market/day'
import type { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { closedDayNotes, tradingDateOf } from '../../run/jobs/goals.js'
import { readCalendarDays } from '../../settings/calendar-file.js'
import { againOf } from '../again.js'
import { execute } from '../execute.js'
import { chosenKey, keyOption } from '../key.js'
import { type CommonOptions, type Edge, maxHoursOption, prepareCall, retainOption, verb } from '../verb.js'

export function snapshotVerb(edge: Edge, effects: Effects): Command {
  return verb('snapshot', 'Fetch accounts only: current balances, margins, positions and orders')
    .addOption(retainOption())
    .addOption(maxHoursOption())
    .option(
      '--date <day>',
      'trading date of the snapshot (default: today if it is a session, else the latest session)',
      readDay,
    )
    .addOption(keyOption('read only the accounts of this key of [[accounts]]'))
    .action(async (options: CommonOptions & { date?: Day; key?: string }) => {
      const prepared = await prepareCall(options, edge, effects)
      const { key } = options
      const call =
        key === undefined
          ? prepared
          : { ...prepared, settings: chosenKey(prepared.settings, key, 'snapshot') }
      const calendar = loadCalendar(readCalendarDays(call.settings.home))
      const now = call.effects.now()
      const today = dayOf(now)
      const latest = calendar.isSession(today) ? today : calendar.previousSession(today)
      await execute(
        {
          name: 'snapshot',
          tradingDate: tradingDateOf(options.date ?? latest, calendar, now),
          goals: [],
          accounts: 'only',
          notes: closedDayNotes(options.date, calendar),
          again: againOf(['snapshot'], options),
        },
        false,
        call,
      )
    })
}
