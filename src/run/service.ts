import { type Client, createClient } from '../brokerage/index.js'
import type { Day } from '../market/day.js'
import type { Settings } from '../settings/index.js'
import type { RunIo } from './io.js'

export interface Service {
  client: Client
  close(): Promise<void>
}

/**
 * The service a run reads: the one at BROKER_BASE_URL, or the embedded sandbox for as long as the run lasts,
 * in a worker thread (no orphan after a kill), its today standing at the run's trading date.
 */
export async function openService(
  settings: Settings,
  tradingDate: Day,
  pageSizes: Readonly<Record<string, number>>,
  io: RunIo,
): Promise<Service> {
  const { effects } = io
  if (settings.baseUrl === undefined) {
    const { startEmbeddedSandbox } = await import('../sandbox/index.js')
    const sandbox = await startEmbeddedSandbox({ date: tradingDate })
    const client = createClient(
      {
        baseUrl: sandbox.url,
        apiKey: sandbox.apiKey,
        apiSecret: sandbox.apiSecret,
        maxRps: Infinity,
        pageSizes,
      },
      effects,
    )
    return {
      client,
      close: async () => {
        await client.close()
        await sandbox.close()
      },
    }
  }
  const client = createClient({ ...settings.broker, baseUrl: settings.baseUrl, pageSizes }, effects)
  return { client, close: () => client.close() }
}
