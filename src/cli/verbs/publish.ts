import type { Command } from 'commander'
import { answerSummary, withNotice } from '../notified.js'
import { type AcceptOptions, acceptOf, type NewVerb } from '../verb.js'

export function publishVerb(verb: NewVerb): Command {
  return verb('publish', 'Write changed data to the lake and replace the catalog')
    .accept()
    .retain()
    .option('--deep', 'first compare every file of the lake with its SHA-256; write damaged ones again')
    .writes(async (call, options: AcceptOptions & { deep?: true }) => {
      const override = acceptOf(options)
      const { runPublish } = await import('../../run/verbs/publish.js')
      await withNotice(call, async (io) => {
        await answerSummary(await runPublish(call.settings, override, io, options.deep), call)
      })
    })
}
