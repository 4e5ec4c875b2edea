import { once } from 'node:events'
import { whole } from 'candlehouse-foundation/command-line/argument'
import type { Command } from 'commander'
import type { NewVerb } from '../verb.js'

export function consoleVerb(verb: NewVerb): Command {
  return verb('console', 'Serve the web console on loopback until Ctrl-C: charts, findings, accounts, SQL')
    .option('--port <number>', 'port on loopback (default: any free port)', whole(0, 65_535))
    .option('--open', 'open the console in the browser')
    .reads(async (call, { port = 0, open }: { port?: number; open?: true }) => {
      const { terminal, signal } = call
      const { startConsole } = await import('../../console/server.js')
      const { home, palette } = call.settings
      const keeping = { environment: call.environment, clean: (text: string) => terminal.clean(text) }
      const served = await startConsole({ home, palette, port, keeping }, call.effects)
      try {
        const { url, token } = served
        await call.print({ url, token }, `${url}\n`)
        terminal.words('the console is listening on loopback only; press Ctrl-C to stop it')
        if (open) {
          const { openBrowser } = await import('../../console/browser.js')
          if (!(await openBrowser(served.folder, url, call.opener)))
            terminal.words('no browser found: open the address yourself')
        }
        if (!signal.aborted) await once(signal, 'abort')
      } finally {
        await served.close()
      }
    })
}
