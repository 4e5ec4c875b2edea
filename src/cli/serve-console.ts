import { once } from 'node:events'
import type { Call } from './verb.js'

/** Where a console listens. */
export interface ConsoleAddress {
  readonly url: string
  readonly token: string
}

export interface ServedOptions {
  readonly port: number
  /** Whether it is opened in the browser. */
  readonly open: boolean
}

/** Serves the console on the home of the call until Ctrl-C, after `announce` has printed its address. */
export async function serveConsole(
  call: Call,
  { port, open }: ServedOptions,
  announce: (address: ConsoleAddress) => Promise<void>,
): Promise<void> {
  const { terminal, signal } = call
  const { startConsole } = await import('../console/server.js')
  const { home, palette } = call.settings
  const keeping = { environment: call.environment, clean: (text: string) => terminal.clean(text) }
  const served = await startConsole({ home, palette, port, keeping }, call.effects)
  try {
    const { url, token } = served
    await announce({ url, token })
    terminal.words('the console is listening on loopback only; press Ctrl-C to stop it')
    if (open) {
      const { openBrowser } = await import('../console/browser.js')
      if (!(await openBrowser(served.folder, url, call.opener)))
        terminal.words('no browser found: open the address yourself')
    }
    if (!signal.aborted) await once(signal, 'abort')
  } finally {
    await served.close()
  }
}
