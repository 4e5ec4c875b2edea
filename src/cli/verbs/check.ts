import { readDay } from 'candlehouse-foundation/command-line/argument'
import { loadCalendar } from 'candlehouse-foundation/market/calendar'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { closedDayNotes } from '../../run/jobs/goals.js'
import { readCalendarDays } from '../../settings/calendar-file.js'
import { withNotice } from '../notified.js'
import { renderSummary } from '../render/summary.js'
import {
  type AcceptOptions,
  acceptOf,
  type CommonOptions,
  type Edge,
  prepareCall,
  verb,
  withAccept,
} from '../verb.js'

export function checkVerb(edge: Edge, effects: Effects): Command {
  return withAccept(
    verb('check', 'Check stored data by all rules; show what passes, what breaks and what is withheld'),
  )
    .option('--date <day>', 'session to check (default: the data of the latest run)', readDay)
    .action(async (options: CommonOptions & AcceptOptions & { date?: Day }) => {
      const override = acceptOf(options)
      const call = await prepareCall(options, edge, effects)
      for (const note of closedDayNotes(options.date, loadCalendar(readCalendarDays(call.settings.home))))
        call.terminal.words(note)
      const { runCheck } = await import('../../run/verbs/check.js')
      await withNotice(call, async (io) => {
        const summary = await runCheck(call.settings, { date: options.date, override }, io)
        await call.answer(summary, () => renderSummary(summary))
        call.endWith(summary.exitCode)
      })
    })
}
