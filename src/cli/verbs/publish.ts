import type { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { withNotice } from '../notified.js'
import { renderSummary } from '../render/summary.js'
import {
  type AcceptOptions,
  acceptOf,
  type CommonOptions,
  type Edge,
  prepareCall,
  retainOption,
  verb,
  withAccept,
} from '../verb.js'

export function publishVerb(edge: Edge, effects: Effects): Command {
  return withAccept(verb('publish', 'Write changed data to the lake and replace the catalog'))
    .addOption(retainOption())
    .option('--deep', 'first compare every file of the lake with its SHA-256; write damaged ones again')
    .action(async (options: CommonOptions & AcceptOptions & { deep?: true }) => {
      const override = acceptOf(options)
      const call = await prepareCall(options, edge, effects)
      const { runPublish } = await import('../../run/verbs/publish.js')
      await withNotice(call, async (io) => {
        const summary = await runPublish(call.settings, override, io, options.deep)
        await call.answer(summary, () => renderSummary(summary))
        call.endWith(summary.exitCode)
      })
    })
}
