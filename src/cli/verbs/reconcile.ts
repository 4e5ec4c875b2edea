import type { Command } from 'commander'
import type { Effects } from '../../effects.js'
import type { Day } from '../../market/day.js'
import { day } from '../argument.js'
import { renderReconciliation } from '../render/reconcile.js'
import { type CommonOptions, type Edge, prepareCall, verb } from '../verb.js'

export function reconcileVerb(edge: Edge, effects: Effects): Command {
  return verb(
    'reconcile',
    'Compare fills, positions and cash of every account; show unexplained differences first',
  )
    .option('--date <day>', 'trading date of the snapshots (default: the latest one with snapshots)', day)
    .action(async (options: CommonOptions & { date?: Day }) => {
      const call = await prepareCall(options, edge, effects)
      const { runReconcile } = await import('../../run/verbs/reconcile.js')
      const reconciliation = await runReconcile(call.settings, options.date, call)
      await call.answer(reconciliation, () => renderReconciliation(reconciliation))
    })
}
