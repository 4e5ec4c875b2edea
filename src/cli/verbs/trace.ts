import type { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { describeKey, traceRow } from '../../read/index.js'
import { renderNaming, renderTrace, tampered } from '../render/trace.js'
import { type CommonOptions, type Edge, settle, verb } from '../verb.js'

/** Exit code of a raw file that is not what was landed: storage. */
const DAMAGED = 6

export function traceVerb(edge: Edge, effects: Effects): Command {
  return verb(
    'trace',
    'where one row came from: its page, its raw record, its run, its revisions and findings',
  )
    .argument('[relation]', 'a relation, like market.daily_summary')
    .argument('[key...]', 'its key: values in order, COLUMN=VALUE pairs or a JSON object (default: says how)')
    .action(async (relation: string | undefined, key: readonly string[], options: CommonOptions) => {
      const call = settle(options, edge, effects)
      const { home } = call.settings
      if (key.length === 0) {
        const naming = await describeKey(home, relation ?? '')
        await call.answer(naming, () => renderNaming(naming))
        return
      }
      const trace = await traceRow(home, relation ?? '', key)
      await call.answer(trace, () => renderTrace(trace))
      const warning = tampered(trace)
      if (!warning) return
      call.terminal.complain(warning)
      process.exitCode = DAMAGED
    })
}
