import { type Calendar, loadCalendar } from 'candlehouse-foundation/market/calendar'
import { dayOf } from 'candlehouse-foundation/market/day'
import { sqlFile, sqlTemplate } from '../duckdb/sqlfile.js'
import type { Effects } from '../effects.js'
import { type Withheld, withheldSessions } from '../lake/withheld-rows.js'
import { type Gap, readGaps } from '../night/gaps.js'
import { DATASETS } from '../plan/datasets.js'
import { type Ask, latestPublication } from '../read/query.js'
import type { DatasetStatus } from '../read/status.js'
import { readCalendarDays } from '../settings/calendar-file.js'
import type { AnsweringPublication } from './tool-answer.js'

/** A weekday between stored sessions that was never requested. */
export interface MissingSession {
  readonly dataset: string
  readonly timeframe: string
  readonly day: string
}

/** What every answer of a publication says about it. */
export interface PublicationFacts {
  readonly publication: AnsweringPublication
  readonly datasets: readonly DatasetStatus[]
  readonly gaps: readonly Gap[]
  /** All of them; `gaps` has the first. */
  readonly gapCount: number
  readonly missing: readonly MissingSession[]
  readonly withheld: readonly Withheld[]
  /** Symbols and codes of indexes: words of a statement that are keys. */
  readonly keys: ReadonlySet<string>
}

/** More gaps than this are counted only. */
const MOST_GAPS = 5_000
const EVER = '9999-12-31'

/**
 * Reads the facts from the whole catalog; without accounts those about accounts are left out.
 *
 * @throws StorageError before the first publication
 */
export async function readPublicationFacts(
  ask: Ask,
  hasAccounts: boolean,
  effects: Pick<Effects, 'now'>,
): Promise<PublicationFacts> {
  const isShown = ({ dataset }: { dataset: string }): boolean => hasAccounts || isDataset(dataset)
  const latest = await latestPublication(ask)
  const [session] = await ask<{ day: string | null }>('SELECT mart.latest_session()::VARCHAR AS day')
  const datasets = await ask<DatasetStatus>(
    sqlTemplate('read/datasets.sql', { open_gap: sqlFile('warehouse/open_gap.sql') }),
  )
  const { gaps, gapCount } = await readGaps(ask, {
    until: EVER,
    today: dayOf(effects.now()),
    most: MOST_GAPS,
  })
  const shownGaps = gaps.filter(isShown)
  const missing = await ask<MissingSession>(
    'SELECT dataset, timeframe, trading_date::VARCHAR AS day FROM mart.coverage WHERE is_missing ORDER BY ALL',
  )
  const withheld = await withheldSessions(ask)
  const keys = await ask<{ key: string }>(
    'SELECT symbol AS key FROM market.security UNION SELECT index_code FROM market.market_index',
  )
  return {
    publication: {
      id: latest?.id ?? 0,
      published_at: latest?.publishedAt ?? '',
      latest_session: session?.day ?? null,
    },
    datasets: datasets.filter(isShown),
    gaps: shownGaps,
    gapCount: gapCount - (gaps.length - shownGaps.length),
    missing: missing.filter(isShown),
    withheld: withheld.filter(({ relation }) => hasAccounts || !relation.startsWith('account.')),
    keys: new Set(keys.map(({ key }) => key)),
  }
}

function isDataset(name: string): boolean {
  return (DATASETS as readonly string[]).includes(name)
}

/** Why the newest session may be old; null where no later session has closed. */
export function staleness(
  { publication }: Pick<PublicationFacts, 'publication'>,
  home: string,
  effects: Pick<Effects, 'now'>,
): string | null {
  const { latest_session: latest, published_at: publishedAt } = publication
  const closed = calendarOf(home).latestClosedSession(effects.now())
  if (latest === null) return `no session is stored; ${closed} has closed`
  return latest >= closed
    ? null
    : `the newest stored session is ${latest}, published at ${publishedAt}; the session of ${closed} has closed since`
}

function calendarOf(home: string): Calendar {
  try {
    return loadCalendar(readCalendarDays(home))
  } catch {
    // A fault in the user's file is the doctor's to tell.
    return loadCalendar()
  }
}
