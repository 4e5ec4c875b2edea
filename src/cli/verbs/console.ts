import { whole } from 'candlehouse-foundation/command-line/argument'
import type { Command } from 'commander'
import { serveConsole } from '../serve-console.js'
import type { NewVerb } from '../verb.js'

export function consoleVerb(verb: NewVerb): Command {
  return verb('console', 'Serve the web console on loopback until Ctrl-C: charts, findings, accounts, SQL')
    .option('--port <number>', 'port on loopback (default: any free port)', whole(0, 65_535))
    .option('--open', 'open the console in the browser')
    .reads(async (call, { port = 0, open = false }: { port?: number; open?: boolean }) => {
      await serveConsole(call, { port, open }, async ({ url, token }) => {
        await call.print({ url, token }, `${url}\n`)
      })
    })
}
