import { readDay } from 'candlehouse-foundation/command-line/argument'
import { UsageError } from 'candlehouse-foundation/errors'
import type { Day } from 'candlehouse-foundation/market/day'
import type { Command } from 'commander'
import { answerSummary, withNotice } from '../notified.js'
import type { NewVerb } from '../verb.js'

export function replayVerb(verb: NewVerb): Command {
  return verb('replay', 'Rebuild the tables of the warehouse from raw pages, without network')
    .option('--from <day>', 'first session to replace by the rebuilt one', readDay)
    .option('--to <day>', 'last session to replace by the rebuilt one', readDay)
    .option(
      '--without-missing',
      'rebuild without pages that are missing or changed in raw/, although the warehouse or the lake has their rows',
    )
    .writes(async (call, options: { from?: Day; to?: Day; withoutMissing?: true }) => {
      const { from, to, withoutMissing = false } = options
      if (from && to && from > to) {
        throw new UsageError(`--from ${from} is after --to ${to}`, { hint: 'give the earlier day as --from' })
      }
      const { runReplay } = await import('../../run/verbs/replay.js')
      await withNotice(call, async (io) => {
        await answerSummary(await runReplay(call.settings, { from, to, withoutMissing }, io), call)
      })
    })
}
