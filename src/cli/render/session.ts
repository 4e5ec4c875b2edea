import { shownInstant } from 'candlehouse-foundation/market/day'
import type { SessionView } from '../../run/session/view.js'

/** When the stored session expires. */
export function renderSession({ expiresAt, refreshExpiresAt }: SessionView): string {
  const until = refreshExpiresAt ?? expiresAt
  return until
    ? `session stored: it expires at ${shownInstant(until)}; every run that refreshes it extends it`
    : 'session stored; the service did not return an expiry time'
}
