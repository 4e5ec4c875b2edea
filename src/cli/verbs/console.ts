import { once } from 'node:events'
import { whole } from 'candlehouse-foundation/command-line/argument'
import type { Command } from 'commander'
import type { Effects } from '../../effects.js'
import { type CommonOptions, type Edge, prepareReading, verb } from '../verb.js'

export function consoleVerb(edge: Edge, effects: Effects): Command {
  return verb('console', 'Serve the web console on loopback until Ctrl-C: charts, findings, accounts, SQL')
    .option('--port <number>', 'port on loopback (default: any free port)', whole(0, 65_535))
    .option('--open', 'open the console in the browser')
    .action(async (options: CommonOptions & { port?: number; open?: true }) => {
      const call = prepareReading(options, edge, effects)
      const { terminal, signal, settings } = call
      const { startConsole } = await import('../../console/server.js')
      const { home, palette } = settings
      const served = await startConsole({ home, palette, port: options.port ?? 0 }, call.effects)
      try {
        const { url, token } = served
        await terminal.data(call.json ? `${JSON.stringify({ url, token })}\n` : `${url}\n`)
        terminal.words('the console is listening on loopback only; press Ctrl-C to stop it')
        if (options.open) {
          const { openBrowser } = await import('../../console/browser.js')
          if (!(await openBrowser(served.folder, url, edge.opener)))
            terminal.words('no browser found: open the address yourself')
        }
        if (!signal.aborted) await once(signal, 'abort')
      } finally {
        await served.close()
      }
    })
}
