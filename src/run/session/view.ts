import { SettingsError } from 'candlehouse-foundation/errors'
import { keysOf, type Settings } from '../../settings/index.js'
import type { SessionTokens } from '../../source/source.js'
import { readStoredSession } from './token-file.js'

/** What is shown of an API session: never its tokens. Instants are ISO 8601, UTC. */
export interface SessionView {
  readonly baseUrl: string
  /** End of the access token; null where the service did not return one. */
  readonly expiresAt: string | null
  /** End of the session unless it is refreshed before; every refresh moves it. */
  readonly refreshExpiresAt: string | null
}

/** The stored session without its tokens; undefined when none is stored. */
export function viewSession(settings: Settings): SessionView | undefined {
  const { tokens } = readStoredSession(settings)
  return tokens && viewOf(settings.baseUrl ?? '', tokens)
}

export function viewOf(baseUrl: string, tokens: SessionTokens): SessionView {
  const instant = (ms: number | undefined): string | null =>
    ms === undefined ? null : new Date(ms).toISOString()
  return {
    baseUrl,
    expiresAt: instant(tokens.expiresAt),
    refreshExpiresAt: instant(tokens.refreshExpiresAt),
  }
}

/** Whether a session that was verified with a one-time password is stored for a key, and when it ends. */
export interface KeySession {
  readonly name: string
  readonly isStored: boolean
  /** ISO 8601; null where none is stored, or the service did not return one. Every run moves it. */
  readonly endsAt: string | null
}

/** Of every key of the home; none for the embedded sandbox, whose runs log in by themselves. */
export function sessionsOf(settings: Settings): KeySession[] {
  if (settings.baseUrl === undefined) return []
  return keysOf(settings).map((key) => {
    const session = viewStored(key)
    return {
      name: key.keyName,
      isStored: session !== undefined,
      endsAt: session?.refreshExpiresAt ?? session?.expiresAt ?? null,
    }
  })
}

/** A file that others can read is refused elsewhere: here it counts as none. */
function viewStored(settings: Settings): SessionView | undefined {
  try {
    return viewSession(settings)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    return undefined
  }
}
