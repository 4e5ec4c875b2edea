import { type Client, createClient, type Throttle } from '../../brokerage/index.js'
import type { Day } from '../../market/day.js'
import type { RunningSandbox } from '../../sandbox/index.js'
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
  /** Today, in the embedded sandbox. */
  readonly tradingDate: Day
  /** The embedded sandbox, if it was started before. */
  readonly sandbox: Promise<RunningSandbox> | undefined
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
 * The service of a run: the one at BROKER_BASE_URL, or the embedded sandbox for as long as the run lasts,
 * in a worker thread (no orphan after a kill), where today is the run's trading date. A stored session is refreshed, so that
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

/**
 * Runs `work` while the embedded sandbox starts, where settings name no service: its modules load in its own thread while
 * the warehouse is opened. It is closed after `work`, whether it was used or not.
 */
export async function whileSandboxStarts<T>(
  settings: Settings,
  tradingDate: Day,
  work: (sandbox: Promise<RunningSandbox> | undefined) => Promise<T>,
): Promise<T> {
  if (settings.baseUrl !== undefined) return await work(undefined)
  const sandbox = startSandbox(tradingDate)
  // Whoever opens the service gets the error.
  const closed = sandbox.then(
    (started) => () => started.close(),
    () => async () => {},
  )
  try {
    return await work(sandbox)
  } finally {
    await (await closed)()
  }
}

async function startSandbox(date: Day): Promise<RunningSandbox> {
  const { startEmbeddedSandbox } = await import('../../sandbox/index.js')
  return await startEmbeddedSandbox({ date })
}

async function openEmbedded(options: ServiceOptions, { effects }: RunIo): Promise<Service> {
  const { tradingDate, pageSizes, throttle, accounts } = options
  const sandbox = await (options.sandbox ?? startSandbox(tradingDate))
  const { url: baseUrl, apiKey, apiSecret } = sandbox
  const otp = accounts ? sandbox.otp : undefined
  const client = createClient({ baseUrl, apiKey, apiSecret, otp, throttle, pageSizes }, effects)
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
