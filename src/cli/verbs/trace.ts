import type { Command } from 'commander'
import { damageWarning, renderKey, renderTrace } from '../render/trace.js'
import { DAMAGED, type NewVerb } from '../verb.js'

export function traceVerb(verb: NewVerb): Command {
  return verb('trace', 'Show where one row came from: its page, raw record, run, revisions and findings')
    .argument('[relation]', 'relation of the row, like market.daily_summary')
    .argument(
      '[key...]',
      'key of the row: values in order, COLUMN=VALUE pairs or a JSON object (without it: show the columns of the key)',
    )
    .reads(async (call, relation: string | undefined, key: readonly string[]) => {
      const { describeKey, traceRow } = await import('../../read/trace/trace.js')
      const { home } = call.settings
      if (key.length === 0) {
        const description = await describeKey(home, relation ?? '')
        await call.answer(description, () => renderKey(description))
        return
      }
      const trace = await traceRow(home, relation ?? '', key)
      await call.answer(trace, () => renderTrace(trace))
      const warning = damageWarning(trace)
      if (!warning) return
      call.terminal.complain(warning)
      call.endWith(DAMAGED)
    })
}
