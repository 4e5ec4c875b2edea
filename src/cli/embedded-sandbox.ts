import { join } from 'node:path'
import type { Day } from 'candlehouse-foundation/market/day'
import type { RunningSandbox, SandboxOptions } from 'candlehouse-sandbox'
import { packageRoot } from '../package.js'
import type { EmbeddedService } from '../run/session/embedded.js'

/** As built: this module may run from src, or from a bundle elsewhere in dist. */
const WORKER = join(packageRoot, 'dist', 'sandbox-worker.js')

/** Runs `work` with the sandbox for it to start, and closes it after `work`, where it was started. */
export async function withEmbeddedSandbox<T>(work: (embedded: EmbeddedService) => Promise<T>): Promise<T> {
  let running: Promise<RunningSandbox> | undefined
  const start = (today: Day): Promise<RunningSandbox> => {
    running ??= startSandbox({ date: today })
    // Whoever waits for it gets the error.
    running.catch(() => undefined)
    return running
  }
  try {
    return await work({ start })
  } finally {
    const started = await running?.catch(() => undefined)
    await started?.close()
  }
}

/** Starts the sandbox in a thread of this process. */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { startEmbeddedSandbox } = await import('candlehouse-sandbox/embedded')
  return await startEmbeddedSandbox(options, WORKER)
}

/** What a first night on the embedded sandbox finds. */
export async function embeddedMarket(day: Day) {
  const sandbox = await import('candlehouse-sandbox/expected')
  return sandbox.embeddedMarket(day)
}
