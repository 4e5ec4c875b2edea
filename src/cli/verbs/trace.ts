import type { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { damageWarning, renderKey, renderTrace } from '../render/trace.js'
import { type CommonOptions, type Edge, prepareReading, verb } from '../verb.js'

/** Exit code for a raw file that changed after it was landed: storage. */
const DAMAGED = 6

export function traceVerb(edge: Edge, effects: Effects): Command {
  return verb('trace', 'Show where one row came from: its page, raw record, run, revisions and findings')
    .argument('[relation]', 'relation of the row, like market.daily_summary')
    .argument(
      '[key...]',
      'key of the row: values in order, COLUMN=VALUE pairs or a JSON object (without it: show the columns of the key)',
    )
    .action(async (relation: string | undefined, key: readonly string[], options: CommonOptions) => {
      const call = prepareReading(options, edge, effects)
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
