import { type Client, createClient } from '../../brokerage/index.js'
import type { Day } from '../../market/day.js'
import type { Settings } from '../../settings/index.js'
import type { RunIo } from '../lifecycle/run-io.js'
import { keeperOf, readKept } from './token-file.js'

export interface Service {
  client: Client
  /** Why the session that was kept cannot be gone on with; undefined where none was, or it still lives. */
  readonly lostSession: string | undefined
  /** Why a session that is kept is not for this service. */
  readonly foreignSession: string | undefined
  close(): Promise<void>
}

export interface ServiceOptions {
  /** The embedded sandbox's today. */
  readonly tradingDate: Day
  readonly pageSizes: Readonly<Record<string, number>>
  /** Whether accounts will be read: else no one-time password is spent. */
  readonly accounts: boolean
}

/**
 * The service a run reads: the one at BROKER_BASE_URL, or the embedded sandbox for as long as the run lasts,
 * in a worker thread (no orphan after a kill), its today standing at the run's trading date. A kept session is
 * refreshed, so that it lives on until the next run.
 *
 * @throws SettingsError when the kept session can be read by others
 */
export async function openService(settings: Settings, options: ServiceOptions, io: RunIo): Promise<Service> {
  if (settings.baseUrl === undefined) return await openEmbedded(options, io)
  const kept = readKept(settings)
  const client = createClient(
    {
      ...settings.broker,
      baseUrl: settings.baseUrl,
      pageSizes: options.pageSizes,
      otp: options.accounts ? settings.broker.otp : undefined,
      tokens: kept.tokens,
      onTokens: keeperOf(settings),
    },
    io.effects,
  )
  if (kept.tokens) await client.session.keepAlive(io.signal)
  return {
    client,
    get lostSession() {
      if (kept.tokens) return client.session.grade === 'market' ? 'the kept session was lost' : undefined
      return kept.lost
    },
    foreignSession: kept.foreign,
    close: () => client.close(),
  }
}

async function openEmbedded(
  { tradingDate, pageSizes, accounts }: ServiceOptions,
  { effects }: RunIo,
): Promise<Service> {
  const { startEmbeddedSandbox } = await import('../../sandbox/index.js')
  const sandbox = await startEmbeddedSandbox({ date: tradingDate })
  const { url: baseUrl, apiKey, apiSecret } = sandbox
  const otp = accounts ? sandbox.otp : undefined
  const client = createClient({ baseUrl, apiKey, apiSecret, otp, maxRps: Infinity, pageSizes }, effects)
  return {
    client,
    lostSession: undefined,
    foreignSession: undefined,
    close: async () => {
      await client.close()
      await sandbox.close()
    },
  }
}
