import { type Client, createClient, type Throttle } from 'candlehouse-client/reading'
import type { Day } from 'candlehouse-foundation/market/day'
import { namesKeys, requireCredentials, type Settings } from '../../settings/index.js'
import type { RunIo } from '../lifecycle/run-io.js'
import { clockCheck } from './clock.js'
import { readStoredSession, storeTokens } from './token-file.js'

export interface Service {
  client: Client
  /**
   * Why accounts cannot be read although there was a session for them: a stored one, or one that this run's one-time password
   * opened. Undefined where there was none, or it is still valid. It can be lost at any request.
   */
  readonly lostSession: string | undefined
  /** Why the stored session is not for this service. */
  readonly foreignSession: string | undefined
  close(): Promise<void>
}

export interface ServiceOptions {
  /** Today, in the embedded service. */
  readonly tradingDate: Day
  readonly pageSizes: Readonly<Record<string, number>>
  /** What all keys of the run share, so that together they are as fast as one. */
  readonly throttle: Throttle
  /** Whether accounts will be read: else no one-time password is spent. */
  readonly accounts: boolean
}

/**
 * How long an unattended run waits for a service that cannot be reached: a restart of the service, a router or a name server
 * takes seconds to minutes. Before the first answer, a wrong address is more likely.
 */
const PATIENCE = { patienceMs: 300_000, firstContactMs: 30_000 }

/**
 * The service of a run: the one at BROKER_BASE_URL, or the embedded one, where today is the run's trading date. A stored session is refreshed, so that
 * it is still valid at the next run.
 *
 * @param settings those of the key: `keysOf`
 * @throws SettingsError when the stored session can be read by others, or a key of `[[accounts]]` has no secret
 */
export async function openService(settings: Settings, options: ServiceOptions, io: RunIo): Promise<Service> {
  if (settings.baseUrl === undefined) return await openEmbedded(options, io)
  const stored = readStoredSession(settings)
  if (!stored.tokens && namesKeys(settings)) requireCredentials(settings)
  const client = createClient(
    {
      ...settings.broker,
      ...PATIENCE,
      baseUrl: settings.baseUrl,
      pageSizes: options.pageSizes,
      throttle: options.throttle,
      otp: options.accounts ? settings.broker.otp : undefined,
      tokens: stored.tokens,
      onTokens: storeTokens(settings, io.effects),
      onServiceTime: clockCheck(options.tradingDate, settings.clockHours),
    },
    io.effects,
  )
  try {
    if (stored.tokens) await client.session.keepAlive(io.signal)
  } catch (error) {
    await client.close()
    throw error
  }
  return {
    client,
    get lostSession() {
      const { grade, isDowngraded } = client.session
      if (grade === 'trading') return undefined
      if (!isDowngraded) return stored.lost
      return stored.tokens
        ? 'the stored session was lost'
        : 'the session opened with the one-time password was lost'
    },
    foreignSession: stored.foreign,
    close: () => client.close(),
  }
}

async function openEmbedded(options: ServiceOptions, { embedded, effects }: RunIo): Promise<Service> {
  const { tradingDate, pageSizes, throttle, accounts } = options
  if (!embedded) throw new Error('a run without a service at its edge opens none')
  const { url: baseUrl, apiKey, apiSecret, otp } = await embedded.start(tradingDate)
  const client = createClient(
    { baseUrl, apiKey, apiSecret, otp: accounts ? otp : undefined, throttle, pageSizes },
    effects,
  )
  return { client, lostSession: undefined, foreignSession: undefined, close: () => client.close() }
}
