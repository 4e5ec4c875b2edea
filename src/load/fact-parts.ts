import { literal } from '../duckdb/sqlfile.js'
import type { ClosedWalk } from '../land/journal.js'
import type { Dataset } from '../plan/datasets.js'
import { filePrefixOf, relationOf } from '../relations.js'

/** Columns with the source of a row, not with its values. */
const PROVENANCE = ['request_id', 'loaded_at']

/**
 * Parts of SQL that follow from a dataset's key and columns, by their names in `sql/load/facts`. In them `stored` is a row of
 * the relation, `match` the row that it is compared with, and `answer` a row of `session_answer`.
 */
export interface FactParts {
  readonly relation: string
  /** Columns of the key. */
  readonly key: string
  /** Columns of the key and all values. */
  readonly columns: string
  /** Whether two rows have one key. */
  readonly same_key: string
  /** Whether any value of two rows differs. */
  readonly differs: string
  /** Whether a stored row belongs to the window of a session's answer. */
  readonly in_scope: string
  /** The key of `stored` with its trading date. */
  readonly stored_key: string
  /** The key of `match`. */
  readonly match_key: string
  /** The key of `stored` as JSON, as `market.revision.key` has it. */
  readonly key_json: string
  /** What the partition of a row begins with: bars of a minute and longer ones have files of their own. */
  readonly file_prefix: string
  /** One struct per value: its name, old and new text, whether they differ. */
  readonly values: string
}

/** @param all columns of the dataset's relation in their order */
export function factParts(dataset: Dataset, all: readonly string[]): FactParts {
  const { relation, key } = dataset
  const values = all.filter((name) => !PROVENANCE.includes(name) && !key.includes(name))
  return {
    relation,
    key: key.join(', '),
    columns: [...key, ...values].join(', '),
    same_key: key.map((name) => `stored.${name} = match.${name}`).join(' AND '),
    differs: values.map((name) => `match.${name} IS DISTINCT FROM stored.${name}`).join(' OR '),
    in_scope: inScope(dataset),
    stored_key: [...new Set([...key, 'trading_date'])].map((name) => `stored.${name}`).join(', '),
    match_key: key.map((name) => `match.${name}`).join(', '),
    key_json: keyJson(key),
    file_prefix: filePrefixOf(relationOf(relation)),
    values: values.map(comparedValue).join(',\n    '),
  }
}

/** First and last day of walks' windows: literal bounds let DuckDB skip row groups of other sessions. */
export type DayRange = Readonly<Record<'first_day' | 'last_day', string>>

export function dayRange(walks: readonly ClosedWalk[]): DayRange {
  const days = walks.flatMap(({ window }) => [window.from, window.to]).sort()
  return { first_day: literal(days[0] ?? ''), last_day: literal(days.at(-1) ?? '') }
}

function inScope({ name }: Dataset): string {
  const day = 'stored.trading_date = answer.day'
  if (name === 'ohlc') return `${day} AND stored.symbol = answer.key AND stored.timeframe = answer.timeframe`
  const subject = name === 'indexSummary' ? 'index_code' : 'symbol'
  return `${day} AND (answer.key = '*' OR stored.${subject} = answer.key)`
}

function comparedValue(name: string): string {
  return `{'name': ${literal(name)}, 'old': CAST(stored.${name} AS VARCHAR), 'new': CAST(match.${name} AS VARCHAR),
      'differs': match.${name} IS DISTINCT FROM stored.${name}}`
}

function keyJson(key: readonly string[]): string {
  const members = key.map((name) =>
    name === 'opened_at'
      ? `'opened_at', strftime(timezone('UTC', stored.opened_at), '%Y-%m-%dT%H:%M:%SZ')`
      : `${literal(name)}, CAST(stored.${name} AS VARCHAR)`,
  )
  return `CAST(json_object(${members.join(', ')}) AS VARCHAR)`
}
