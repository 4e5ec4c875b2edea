import { counted } from 'candlehouse-foundation/number-text'
import type { Row } from './api.js'
import { grouped } from './words.js'

/** One line of what a night brought. */
export interface NewsLine {
  readonly title: string
  /** How many, or what of it. */
  readonly words: string
  /** Names, each with where it leads. */
  readonly names: readonly { readonly name: string; readonly href: string }[]
  /** Names that are not shown. */
  readonly more: number
  /** Where all of it stands. */
  readonly href: string
}

interface Kind {
  readonly title: string
  readonly noun: string
  /** A page of a name of this kind. */
  nameHref(name: string): string
  /** A statement that shows all of it; $day and $before are days. */
  readonly sql: string
}

const chart = (symbol: string): string => `#/chart/${encodeURIComponent(symbol)}/1d`

const KINDS: Readonly<Record<string, Kind>> = {
  session: {
    title: 'New sessions',
    noun: 'session',
    nameHref: (day) => `#/screener///${day}`,
    sql: `from mart.daily\nwhere trading_date = '$day'\norder by symbol`,
  },
  row: {
    title: 'Rows stored',
    noun: 'row',
    nameHref: chart,
    sql: `from ops.run\norder by started_at desc\nlimit 20`,
  },
  fill: {
    title: 'Own trades',
    noun: 'order',
    nameHref: chart,
    sql: `from mart.account_fill\nwhere trading_date > '$before' and trading_date <= '$day'`,
  },
  restated: {
    title: 'Restated values',
    noun: 'value',
    nameHref: chart,
    sql: `from market.revision\norder by observed_at desc\nlimit 1000`,
  },
  event: {
    title: 'Corporate actions',
    noun: 'ex-date',
    nameHref: chart,
    sql: `from mart.adjustment_event\nwhere ex_date > '$before' and ex_date <= '$day'`,
  },
  listed: {
    title: 'Newly listed',
    noun: 'symbol',
    nameHref: chart,
    sql: `from market.security\nwhere first_seen > '$before'`,
  },
  gone: {
    title: 'No longer listed',
    noun: 'symbol',
    nameHref: chart,
    sql: `from market.security\nwhere not is_listed\norder by last_seen desc`,
  },
  moved: {
    title: 'Moved to another board',
    noun: 'symbol',
    nameHref: chart,
    sql: `from mart.board_transfer\norder by first_session_on_new_board desc`,
  },
  member: {
    title: 'Joined or left an index',
    noun: 'change',
    nameHref: chart,
    sql: `from market.index_member\nwhere valid_from > '$before' or valid_to > '$before'`,
  },
}

/** The lines of `sql/console/news.sql`. */
export function newsLines(rows: readonly Row[]): NewsLine[] {
  return rows.flatMap((row) => {
    const kind = KINDS[String(row.kind)]
    if (!kind) return []
    const names = (row.names ?? []) as string[]
    const sql = kind.sql
      .replaceAll('$day', String(row.day))
      .replaceAll('$before', String(row.before ?? '0001-01-01'))
    return [
      {
        title: kind.title,
        words: counted(Number(row.count), kind.noun),
        names: names.map((name) => ({ name, href: kind.nameHref(name) })),
        more: Math.max(0, Number(row.name_count) - names.length),
        href: `#/sql?q=${encodeURIComponent(sql)}`,
      },
    ]
  })
}

/** Since when all of it is new. */
export function newsSince(rows: readonly Row[]): string {
  const before = rows[0]?.before
  return before === null || before === undefined ? 'the first night' : `since the night of ${before}`
}

/** Names that are not shown, in words; empty where all are. */
export function moreNames(more: number): string {
  return more > 0 ? ` and ${grouped(more)} more` : ''
}
