import { shownInstant } from 'candlehouse-foundation/market/day'
import type { KeyStatus } from '../../read/status.js'
import type { SessionView } from '../../run/session/view.js'
import { columnsOf, renderTable } from './table.js'

/** When the stored session expires. */
export function renderSession({ expiresAt, refreshExpiresAt }: SessionView): string {
  const until = refreshExpiresAt ?? expiresAt
  return until
    ? `session stored: it expires at ${shownInstant(until)}; every run that refreshes it extends it`
    : 'session stored; the service did not return an expiry time'
}

/** One API key: its stored session, and what it has read of accounts. */
export interface KeyView {
  readonly name: string
  /** Whether the settings name it: rows of a key that was removed from candlehouse.toml stay. */
  readonly isConfigured: boolean
  readonly session: SessionView | null
  /** Trading date of its latest snapshot; null where it has none. */
  readonly latest: string | null
  readonly accounts: number
  readonly complete: number
}

/** Keys of the settings in their order, then those that only the catalog knows. */
export function keyViews(
  sessions: readonly { name: string; session: SessionView | null }[],
  published: readonly KeyStatus[],
): KeyView[] {
  const none = { latest: null, accounts: 0, complete: 0 }
  const configured = sessions.map(({ name, session }) => ({
    ...none,
    ...published.find((key) => key.name === name),

    name,
    isConfigured: true,
    session,
  }))
  const removed = published
    .filter(({ name }) => !sessions.some((key) => key.name === name))
    .map((key) => ({ ...key, isConfigured: false, session: null }))
  return [...configured, ...removed]
}

export function renderKeys(keys: readonly KeyView[]): string {
  return renderTable(
    columnsOf('key', 'session', '#accounts', 'snapshot'),
    keys.map((key) => [
      key.name,
      sessionOf(key),
      key.complete === key.accounts ? String(key.accounts) : `${key.complete} of ${key.accounts}`,
      key.latest ?? 'none',
    ]),
  )
}

function sessionOf({ session, isConfigured }: KeyView): string {
  if (!isConfigured) return 'not in candlehouse.toml'
  if (!session) return 'no session is stored'
  const until = session.refreshExpiresAt ?? session.expiresAt
  return until ? `stored until ${shownInstant(until)}` : 'stored'
}
