import { readDay } from 'candlehouse-foundation/command-line/argument'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Command } from 'commander'
import { closedDayNotes } from '../../run/jobs/goals.js'
import { calendarOf } from '../again.js'
import { answerSummary, withNotice } from '../notified.js'
import { type AcceptOptions, acceptOf, type NewVerb } from '../verb.js'

export function checkVerb(verb: NewVerb): Command {
  return verb('check', 'Check stored data by all rules; show what passes, what breaks and what is withheld')
    .accept()
    .option('--date <day>', 'session to check (default: the data of the latest run)', readDay)
    .writes(async (call, { date, ...options }: AcceptOptions & { date?: Day }) => {
      const override = acceptOf(options)
      for (const note of closedDayNotes(date, calendarOf(call))) call.terminal.words(note)
      const { runCheck } = await import('../../run/verbs/check.js')
      await withNotice(call, async (io) => {
        await answerSummary(await runCheck(call.settings, { date, override }, io), call)
      })
    })
}
