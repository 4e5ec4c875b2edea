import { WrongClockError } from 'candlehouse-foundation/errors'
import { addDays, type Day, dayOf } from 'candlehouse-foundation/market/day'
import { namesKeys, requireCredentials, type Settings } from '../../settings/index.js'
import { brokerage } from '../../source/brokerage/brokerage.js'
import type { Pace, Source, SourceKind } from '../../source/source.js'
import type { RunIo } from '../lifecycle/run-io.js'
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

/**
 * A service whose clock stands before the year of this program has a wrong clock, or is a sandbox of a past day: it says nothing
 * about the clock of this machine.
 */
const EARLIEST_SERVICE_TIME = Date.parse('2026-01-01T00:00:00Z')

/** A trading date further back was named by a person: it does not follow from the clock. */
const DAYS_OF_THE_CLOCK = 14

const HOUR_MS = 3_600_000

/**
 * Compares the clock of the machine with the service's, at every response: a run with a wrong clock would file what is "as of
 * now", the accounts above all, under a day of the future or of the past, where no later run corrects it.
 *
 * @param tradingDate of the run; where it does not follow from the clock, nothing is compared
 * @param hours by which they may differ; 0: they are not compared
 * @returns throws WrongClockError, which names both clocks
 */
export function clockCheck(
  tradingDate: Day,
  hours: number,
): ((serviceTime: number, ownTime: number) => void) | undefined {
  if (hours === 0) return undefined
  return (serviceTime, ownTime) => {
    if (serviceTime < EARLIEST_SERVICE_TIME || tradingDate < addDays(dayOf(ownTime), -DAYS_OF_THE_CLOCK))
      return
    const apart = Math.abs(serviceTime - ownTime)
    if (apart <= hours * HOUR_MS) return
    throw new WrongClockError(
      `the clock of this machine says ${shown(ownTime)}, that of the service ${shown(serviceTime)}: they are ${span(apart)} apart. Nothing was stored`,
      serviceTime,
      {
        hint: `set the clock (timedatectl set-ntp true), then run the same command again. If the service is wrong: CANDLEHOUSE_CLOCK_HOURS=0 compares no clocks`,
      },
    )
  }
}

function shown(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function span(apart: number): string {
  const hours = Math.round(apart / HOUR_MS)
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}
