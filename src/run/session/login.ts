import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type CandlehouseError, ServiceError, SettingsError } from 'candlehouse-foundation/errors'
import type { Database } from '../../duckdb/open.js'
import type { Effects } from '../../effects.js'
import { keysOf, type Settings, sessionFileOf } from '../../settings/index.js'
import { brokerage } from '../../source/brokerage/brokerage.js'
import type { SessionTokens, SourceSession } from '../../source/source.js'
import { openWarehouse } from '../../warehouse/open-warehouse.js'
import type { RunIo } from '../lifecycle/run-io.js'
import { runKeyOf } from './run-key.js'
import { readStoredSession, removeStoredSession, storeTokens } from './token-file.js'
import { type SessionView, viewOf } from './view.js'

/** The second factor of a login: a code, or an approval in the mobile app. */
export type SecondFactor =
  /** `announce` is called when the service is about to be asked, which waits for the approval. */
  | { readonly smart: true; announce(): void }
  /** `ask` is called after the service was asked to send a code, unless there is a `code` already. */
  | { readonly smart: false; readonly code: string | undefined; ask(message: string): Promise<string> }

/**
 * Logs in with a second factor and stores the session for unattended runs, once it has read the list of accounts: a service may
 * answer a login with a session that reads market data only, which must not replace a stored one.
 *
 * @throws SettingsError when there is no service to log in to, or it refuses · LockedError while a run has the
 * session locked (one session is active per API key)
 */
export async function logIn(settings: Settings, factor: SecondFactor, io: RunIo): Promise<SessionView> {
  const { baseUrl } = settings
  if (baseUrl === undefined)
    throw new SettingsError('login needs a service: BROKER_BASE_URL is not set', {
      hint: 'set BROKER_BASE_URL; the embedded sandbox needs no login: its nightly logs in by itself',
    })
  using _lock = await openLock(settings, io.effects)
  const source = brokerage.open({ ...settings.broker, otp: undefined, baseUrl }, io.effects)
  try {
    const tokens = await logInWith(factor, source.session, io)
    await requireVerified(source.session, io)
    await storeTokens(settings, io.effects)(tokens)
    return viewOf(baseUrl, tokens)
  } finally {
    await source.close()
  }
}

/** @throws SettingsError where the service refuses to list the accounts. After an outage the login counts: it succeeded. */
async function requireVerified(session: SourceSession, { effects, signal }: RunIo): Promise<void> {
  try {
    const refusal = await session.refusalOfAccounts(signal)
    if (refusal === undefined) return
    throw new SettingsError(`the session may not read the accounts, so it is not stored: ${refusal}`, {
      hint: 'candlehouse login    # with a new one-time password',
    })
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    effects.log.warn(`the session was not tried on the accounts: ${error.message}`)
  }
}

async function logInWith(
  factor: SecondFactor,
  session: SourceSession,
  { signal }: RunIo,
): Promise<SessionTokens> {
  if (factor.smart) {
    factor.announce()
    return await session.logIn({ isApprovedInApp: true }, signal)
  }
  const otp = factor.code ?? (await factor.ask(await session.requestOtp(signal)))
  return await session.logIn({ otp }, signal)
}

/**
 * Refreshes the stored session, without a login: one without a one-time password would end it.
 *
 * @returns undefined when none is stored
 * @throws SettingsError when it was lost · LockedError while a run has it locked (and refreshes it itself)
 */
export async function keepSessionAlive(settings: Settings, io: RunIo): Promise<SessionView | undefined> {
  const { baseUrl } = settings
  // A run logs in to the embedded sandbox by itself.
  if (baseUrl === undefined) return undefined
  using _lock = await openLock(settings, io.effects)
  return await refreshSession(settings, baseUrl, io)
}

/** The session of one key, refreshed, or why it could not be. */
export interface KeptKey {
  readonly name: string
  /** Null where none is stored. */
  readonly session: SessionView | null
  readonly failure: CandlehouseError | undefined
}

/** The same for every key of `[[accounts]]`, one after the other: one that fails does not stop the others. */
export async function keepSessionsAlive(settings: Settings, io: RunIo): Promise<KeptKey[]> {
  const { baseUrl } = settings
  if (baseUrl === undefined) return []
  using _lock = await openLock(settings, io.effects)
  const kept: KeptKey[] = []
  for (const key of keysOf(settings)) {
    const name = key.keyName
    try {
      kept.push({ name, session: (await refreshSession(key, baseUrl, io)) ?? null, failure: undefined })
    } catch (error) {
      if (!(error instanceof SettingsError || error instanceof ServiceError)) throw error
      kept.push({ name, session: null, failure: error })
    }
  }
  return kept
}

async function refreshSession(
  settings: Settings,
  baseUrl: string,
  io: RunIo,
): Promise<SessionView | undefined> {
  const { login } = runKeyOf(settings)
  const stored = readStoredSession(settings)
  if (!stored.tokens) {
    if (stored.lost) throw new SettingsError(stored.lost, { hint: login })
    return undefined
  }
  const { tokens } = stored
  const onTokens = storeTokens(settings, io.effects)
  const key = { apiKey: undefined, apiSecret: undefined, otp: undefined }
  const source = brokerage.open({ ...settings.broker, ...key, baseUrl, tokens, onTokens }, io.effects)
  const lapsed = (cause?: unknown): SettingsError =>
    new SettingsError('the stored session can no longer be refreshed', { hint: login, cause })
  try {
    const extended = await source.session.keepAlive(io.signal)
    if (!extended) throw lapsed()
    return viewOf(baseUrl, extended)
  } catch (error) {
    throw error instanceof SettingsError ? lapsed(error) : error
  } finally {
    await source.close()
  }
}

/** Removes the stored session. @returns whether there was one · @throws LockedError while a run uses it */
export async function logOut(settings: Settings, effects: Effects): Promise<boolean> {
  if (!existsSync(join(settings.home, sessionFileOf(settings.keyName)))) return false
  using _lock = await openLock(settings, effects)
  return removeStoredSession(settings, effects)
}

/** The lock of the warehouse is the lock of the session too: a run that has it uses and refreshes the session. */
async function openLock({ home }: Settings, effects: Effects): Promise<Database> {
  return await openWarehouse(join(home, 'warehouse.duckdb'), effects)
}
