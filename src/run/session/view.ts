import type { Tokens } from '../../brokerage/index.js'
import type { Settings } from '../../settings/index.js'
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

export function viewOf(baseUrl: string, tokens: Tokens): SessionView {
  const instant = (ms: number | undefined): string | null =>
    ms === undefined ? null : new Date(ms).toISOString()
  return {
    baseUrl,
    expiresAt: instant(tokens.expiresAt),
    refreshExpiresAt: instant(tokens.refreshExpiresAt),
  }
}
