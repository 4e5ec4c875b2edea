import { CandlehouseError } from 'candlehouse-foundation/errors'
import { shownInstant } from 'candlehouse-foundation/market/day'
import { reasonOf } from 'candlehouse-foundation/system-fault'
import type { Effects } from '../effects.js'
import { runKeyOf } from '../run/session/run-key.js'
import { keysWithSession } from '../run/session/token-file.js'
import { viewSession } from '../run/session/view.js'
import { keysOf, namesKeys, requireCredentials, requireOwnAddress, type Settings } from '../settings/index.js'
import { type Diagnosis, fail, note, ok } from './diagnosis.js'
import type { Machine } from './machine.js'

/** A signed request is refused when its time is too far from the service's; one-time passwords are good for seconds. */
const CLOCK_OFF_MS = 30_000
const CLOCK_WRONG_MS = 300_000

/** Credentials of every key: there, and allowed to be sent to the address. */
export function checkCredentials(settings: Settings): Diagnosis[] {
  return keysOf(settings).map((key) => checkKey(key, nameOf('credentials', key)))
}

function checkKey(settings: Settings, check: string): Diagnosis {
  if (settings.baseUrl === undefined && !namesKeys(settings))
    return ok(check, 'none are needed: runs use the embedded sandbox, a simulated service')
  try {
    requireOwnAddress(settings)
    requireCredentials(settings)
    return ok(check, `API key and secret are set for ${settings.baseUrl}`)
  } catch (error) {
    const meaning = namesKeys(settings)
      ? 'No run can log in with it; the other keys go on.'
      : 'No run can log in.'
    return failOf(check, error, meaning)
  }
}

/** `credentials`; of one key of several `credentials of NAME`. */
export function nameOf(check: string, settings: Settings): string {
  return namesKeys(settings) ? `${check} of ${settings.keyName}` : check
}

/** The sessions that were verified with a one-time password; those of keys that candlehouse.toml no longer names. */
export function checkSessions(settings: Settings, now: number): Diagnosis[] {
  const keys = keysOf(settings)
  const forgotten = keysWithSession(settings.home).filter(
    (name) => namesKeys(settings) && !keys.some(({ keyName }) => keyName === name),
  )
  return [
    ...keys.map((key) => checkSession(key, nameOf('session', key), now)),
    ...forgotten.map((name) =>
      note(
        `session of ${name}`,
        'a session is stored, but candlehouse.toml names no such key',
        'No run uses it. Rows that the key brought stay.',
        `candlehouse logout --key ${name}`,
      ),
    ),
  ]
}

function checkSession(settings: Settings, check: string, now: number): Diagnosis {
  if (settings.baseUrl === undefined)
    return ok(check, 'none is needed: runs log in to the embedded sandbox by themselves')
  const { login } = runKeyOf(settings)
  const without = 'Market data are fetched; accounts and orders are skipped until you log in once.'
  try {
    const session = viewSession(settings)
    if (!session) return note(check, 'none is stored', without, login)
    const end = session.refreshExpiresAt ?? session.expiresAt
    if (end === null) return ok(check, 'stored; the service did not return an expiry time')
    if (Date.parse(end) <= now)
      return note(check, `the stored session expired at ${shownInstant(end)}`, without, login)
    return ok(check, `stored, valid until ${shownInstant(end)}; every run extends it`)
  } catch (error) {
    return failOf(check, error, 'Nothing that needs a login can run.')
  }
}

/** The service answers, and the clock of this machine agrees with its own. One request, without credentials. */
export async function checkClock(
  { baseUrl }: Settings,
  machine: Machine,
  effects: Effects,
  signal: AbortSignal,
): Promise<Diagnosis[]> {
  if (baseUrl === undefined) return [ok('service', 'the embedded sandbox; no network is needed')]
  const before = effects.now()
  let date: string | undefined
  try {
    date = await machine.serverDate(baseUrl, signal, effects)
  } catch (error) {
    signal.throwIfAborted()
    const meaning = 'A nightly would end with 5 after its retries; what is published stays readable.'
    return [fail('service', 5, `${baseUrl} does not answer: ${whyOf(error)}`, meaning, `curl -I ${baseUrl}`)]
  }
  const answers = ok('service', `${baseUrl} answers`)
  const there = Date.parse(date ?? '')
  if (Number.isNaN(there)) return [answers, note('clock', 'not compared: the service sends no Date')]
  // The header has whole seconds, and names a moment between request and answer.
  const off = there + 500 - (before + effects.now()) / 2
  const seconds = Math.round(Math.abs(off) / 1000)
  const finding =
    seconds < 2 ? 'agrees with the service' : `${seconds} s ${off > 0 ? 'behind' : 'ahead of'} the service`
  const meaning =
    'Logins with a one-time password may fail, and what a clock decides (the trading date) may be wrong.'
  const next = 'timedatectl set-ntp true'
  if (Math.abs(off) >= CLOCK_WRONG_MS) return [answers, fail('clock', 3, finding, meaning, next)]
  return [
    answers,
    Math.abs(off) >= CLOCK_OFF_MS ? note('clock', finding, meaning, next) : ok('clock', finding),
  ]
}

/** `fetch failed` has the reason as its cause. */
function whyOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return reasonOf(cause)
}

/** A failure of the program's own families, as a diagnosis. */
export function failOf(check: string, error: unknown, meaning: string): Diagnosis {
  if (!(error instanceof CandlehouseError)) throw error
  return fail(check, error.exitCode, error.message, meaning, error.hint ?? null)
}
