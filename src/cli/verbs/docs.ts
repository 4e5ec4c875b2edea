import { once } from 'node:events'
import { resolve } from 'node:path'
import { whole } from 'candlehouse-foundation/command-line/argument'
import type { Command } from 'commander'
import type { NewVerb } from '../verb.js'

export function docsVerb(verb: NewVerb): Command {
  return verb(
    'docs',
    'Serve the documentation on loopback until Ctrl-C, with search and lineage; needs no network',
  )
    .option('--port <number>', 'port on loopback (default: any free port)', whole(0, 65_535))
    .option('--out <folder>', 'write the pages to a new folder instead, for a web server or a browser')
    .reads(async (call, { port = 0, out }: { port?: number; out?: string }) => {
      const { copyDocs, serveDocs } = await import('../../console/docs-site.js')
      if (out !== undefined) {
        const folder = resolve(call.folder, out)
        copyDocs(folder)
        await call.answer({ folder }, () => `${folder} written: open index.html in it`)
        return
      }
      const served = await serveDocs(port)
      try {
        await call.print({ url: served.url }, `${served.url}\n`)
        call.terminal.words('the documentation is served on loopback only; press Ctrl-C to stop it')
        if (!call.signal.aborted) await once(call.signal, 'abort')
      } finally {
        served.close()
      }
    })
}
