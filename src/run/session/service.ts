import type { Day } from 'candlehouse-foundation/market/day'
import { namesKeys, requireCredentials, type Settings } from '../../settings/index.js'
import { brokerage } from '../../source/brokerage/brokerage.js'
import type { Pace, Source, SourceKind } from '../../source/source.js'
import type { RunIo } from '../lifecycle/run-io.js'
import { clockCheck } from './clock.js'
import { readStoredSession, storeTokens } from './token-file.js'

export interface Service {
  readonly source: Source
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
  readonly pace: Pace
  /** Whether accounts will be read: else no one-time password is spent. */
  readonly accounts: boolean
}

/**
 * The service of a run: the one at BROKER_BASE_URL, or the embedded one, where today is the run's trading date. A stored
 * session is refreshed, so that it is still valid at the next run.
 *
 * @param settings those of the key: `keysOf`
 * @throws SettingsError when the stored session can be read by others, or a key of `[[accounts]]` has no secret
 */
export async function openService(settings: Settings, options: ServiceOptions, io: RunIo): Promise<Service> {
  if (settings.baseUrl === undefined) return await openEmbedded(options, io)
  const stored = readStoredSession(settings)
  if (!stored.tokens && namesKeys(settings)) requireCredentials(settings)
  const source = sourceOf(io).open(
    {
      ...settings.broker,
      baseUrl: settings.baseUrl,
      pageSizes: options.pageSizes,
      pace: options.pace,
      otp: options.accounts ? settings.broker.otp : undefined,
      tokens: stored.tokens,
      onTokens: storeTokens(settings, io.effects),
      onServiceTime: clockCheck(options.tradingDate, settings.clockHours),
      waiting: 'run',
    },
    io.effects,
  )
  try {
    if (stored.tokens) await source.session.keepAlive(io.signal)
  } catch (error) {
    await source.close()
    throw error
  }
  return {
    source,
    get lostSession() {
      const { readsAccounts, isDowngraded } = source.session
      if (readsAccounts) return undefined
      if (!isDowngraded) return stored.lost
      return stored.tokens
        ? 'the stored session was lost'
        : 'the session opened with the one-time password was lost'
    },
    foreignSession: stored.foreign,
    close: () => source.close(),
  }
}

async function openEmbedded(options: ServiceOptions, io: RunIo): Promise<Service> {
  const { tradingDate, pageSizes, pace, accounts } = options
  if (!io.embedded) throw new Error('a run without a service at its edge opens none')
  const { url: baseUrl, apiKey, apiSecret, otp } = await io.embedded.start(tradingDate)
  const key = { apiKey, apiSecret, otp: accounts ? otp : undefined }
  const source = sourceOf(io).open({ ...key, baseUrl, pace, pageSizes }, io.effects)
  return { source, lostSession: undefined, foreignSession: undefined, close: () => source.close() }
}

/** The kind of source that a run reads: the brokerage, unless it was given another one. */
export function sourceOf({ source = brokerage }: RunIo): SourceKind {
  return source
}
