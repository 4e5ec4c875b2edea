import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, loginBySmartOtp, type Session, type Tokens } from '../../brokerage/index.js'
import { SettingsError } from '../../errors.js'
import type { Settings } from '../../settings/index.js'
import { openWarehouse } from '../../warehouse/open.js'
import type { RunIo } from '../lifecycle/run-io.js'
import { keeperOf, readKept, removeKept } from './token-file.js'

/** What a person or a scheduler sees of a session: never its tokens. Instants are ISO 8601, UTC. */
export interface SessionView {
  readonly baseUrl: string
  /** Until when the access token is good; null where the service did not say. */
  readonly expiresAt: string | null
  /** Until when it can be refreshed: the session lives so long, and longer with every refresh. */
  readonly refreshExpiresAt: string | null
}

/** How a login proves its second factor: a code, or an approval in the mobile app. */
export type SecondFactor =
  | { readonly smart: true }
  /** `ask` is called after the service was asked to send a code; `code` is one that the user already has. */
  | { readonly smart: false; readonly code: string | undefined; ask(message: string): Promise<string> }

/**
 * Logs in with a second factor and keeps the session for unattended runs.
 *
 * @throws SettingsError when there is no service to log in to, or it refuses · LockedError while a run holds the
 * session (one session is active per API key)
 */
export async function logIn(settings: Settings, factor: SecondFactor, io: RunIo): Promise<SessionView> {
  const baseUrl = requireService(settings)
  return await alone(settings, async () => {
    const client = createClient(
      { ...settings.broker, otp: undefined, baseUrl, onTokens: keeperOf(settings) },
      io.effects,
    )
    try {
      const tokens = await proveBy(factor, client.session, io)
      return viewOf(baseUrl, tokens)
    } finally {
      await client.close()
    }
  })
}

async function proveBy(factor: SecondFactor, session: Session, io: RunIo): Promise<Tokens> {
  if (factor.smart) return await loginBySmartOtp(session, io.effects, io.signal)
  const otp = factor.code ?? (await factor.ask((await session.requestOtp(io.signal)).message))
  return await session.login({ otp }, io.signal)
}

/**
 * Refreshes the kept session, without a login: one without a one-time password would end it.
 *
 * @returns undefined when none is kept
 * @throws SettingsError when it was lost · LockedError while a run holds it (and refreshes it itself)
 */
export async function keepSessionAlive(settings: Settings, io: RunIo): Promise<SessionView | undefined> {
  const { baseUrl } = settings
  // The embedded sandbox logs itself in.
  if (baseUrl === undefined) return undefined
  return await alone(settings, async () => {
    const kept = readKept(settings)
    if (!kept.tokens) {
      if (kept.lost) throw new SettingsError(kept.lost, { hint: 'candlehouse login' })
      return undefined
    }
    const client = createClient(
      {
        ...settings.broker,
        baseUrl,
        apiKey: undefined,
        apiSecret: undefined,
        otp: undefined,
        tokens: kept.tokens,
        onTokens: keeperOf(settings),
      },
      io.effects,
    )
    const lapsed = (cause?: unknown): SettingsError =>
      new SettingsError('the kept session can no longer be refreshed', { hint: 'candlehouse login', cause })
    try {
      const tokens = await client.session.keepAlive(io.signal)
      if (!tokens) throw lapsed()
      return viewOf(baseUrl, tokens)
    } catch (error) {
      throw error instanceof SettingsError ? lapsed(error) : error
    } finally {
      await client.close()
    }
  })
}

/** Forgets the kept session. @returns whether there was one · @throws LockedError while a run uses it */
export async function logOut(settings: Settings): Promise<boolean> {
  if (!existsSync(join(settings.home, 'session.json'))) return false
  return await alone(settings, () => removeKept(settings.home))
}

/** The session that is kept, as a person may see it; undefined when none is. */
export function viewSession(settings: Settings): SessionView | undefined {
  const { tokens } = readKept(settings)
  return tokens && viewOf(settings.baseUrl ?? '', tokens)
}

/** The warehouse's lock is the session's too: a run that holds it uses and refreshes the session. */
async function alone<T>({ home }: Settings, work: () => Promise<T>): Promise<T> {
  const warehouse = await openWarehouse(join(home, 'warehouse.duckdb'))
  try {
    return await work()
  } finally {
    warehouse.close()
  }
}

function requireService({ baseUrl }: Settings): string {
  if (baseUrl !== undefined) return baseUrl
  throw new SettingsError('login needs a service: BROKER_BASE_URL is not set', {
    hint: 'set BROKER_BASE_URL; the embedded sandbox needs no login, its nightly logs itself in',
  })
}

function viewOf(baseUrl: string, tokens: Tokens): SessionView {
  const instant = (ms: number | undefined): string | null =>
    ms === undefined ? null : new Date(ms).toISOString()
  return {
    baseUrl,
    expiresAt: instant(tokens.expiresAt),
    refreshExpiresAt: instant(tokens.refreshExpiresAt),
  }
}
