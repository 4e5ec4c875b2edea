import type { SessionView } from '../../run/session/login.js'

/** Until when the session lives. */
export function renderSession({ expiresAt, refreshExpiresAt }: SessionView): string {
  const until = refreshExpiresAt ?? expiresAt
  return until
    ? `session kept: it lives until ${until}, and longer with every run that refreshes it`
    : 'session kept; the service did not say until when'
}
