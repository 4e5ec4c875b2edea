import { readDay } from 'candlehouse-foundation/command-line/argument'
import { UsageError } from 'candlehouse-foundation/errors'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { withNotice } from '../notified.js'
import { renderSummary } from '../render/summary.js'
import { type CommonOptions, type Edge, prepareCall, verb } from '../verb.js'

export function replayVerb(edge: Edge, effects: Effects): Command {
  return verb('replay', 'Rebuild the tables of the warehouse from raw pages, without network')
    .option('--from <day>', 'first session to replace by the rebuilt one', readDay)
    .option('--to <day>', 'last session to replace by the rebuilt one', readDay)
    .option(
      '--without-missing',
      'rebuild without pages that are missing or changed in raw/, although the warehouse or the lake has their rows',
    )
    .action(async (options: CommonOptions & { from?: Day; to?: Day; withoutMissing?: true }) => {
      const call = await prepareCall(options, edge, effects)
      const { from, to, withoutMissing = false } = options
      if (from && to && from > to) {
        throw new UsageError(`--from ${from} is after --to ${to}`, { hint: 'give the earlier day as --from' })
      }
      const { runReplay } = await import('../../run/verbs/replay.js')
      await withNotice(call, async (io) => {
        const summary = await runReplay(call.settings, { from, to, withoutMissing }, io)
        await call.answer(summary, () => renderSummary(summary))
        call.endWith(summary.exitCode)
      })
    })
}
