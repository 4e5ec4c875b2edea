import type { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { runPublish } from '../../run/publish.js'
import { renderSummary } from '../render/summary.js'
import { type CommonOptions, type Edge, retainOption, settle, verb } from '../verb.js'

export function publishVerb(edge: Edge, effects: Effects): Command {
  return verb('publish', 'write what has changed to the lake and swap the catalog')
    .addOption(retainOption())
    .action(async (options: CommonOptions) => {
      const call = settle(options, edge, effects)
      const summary = await runPublish(call.settings, call)
      await call.answer(summary, () => renderSummary(summary))
    })
}
