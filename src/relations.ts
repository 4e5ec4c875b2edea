/**
 * The files of a relation in the lake. `session`: one file per session while the month is open, then one per month.
 * `month`: one per month. Both: one per closed year that has few rows. `whole`: one file for all rows. `symbol`: one file
 * for the latest two months, and one for all rows before them, or one per group of symbols.
 */
export type Layout = 'session' | 'month' | 'whole' | 'symbol'

/** The column that decides to which month (in exchange time) a row belongs, and how its values are read. */
export interface Dated {
  readonly column: string
  /** `id`: the id of a run or snapshot, which starts with its day in UTC. */
  readonly kind: 'date' | 'instant' | 'id'
}

export interface Relation {
  /** Schema-qualified name, the same in warehouse, lake and catalog. */
  readonly name: string
  /** Logical key: unique, checked, not indexed. */
  readonly key: readonly string[]
  readonly layout: Layout
  /** The column that decides to which file a row belongs; undefined for layout `whole`. */
  readonly dated: Dated | undefined
  /** Sort order in a file, so that readers of one symbol read few row groups. */
  readonly sort: readonly string[]
  /** Columns that differ between two runs with the same responses; table hashes exclude them. */
  readonly volatile: readonly string[]
  /** Rows that have files of their own beside those of most rows, which have one value in a column. */
  readonly split?: Split
}

/** Rows of a relation in two kinds of files: those with one value in a column, and all others. */
export interface Split {
  readonly column: string
  readonly value: string
  /** What the partitions of the other rows begin with. */
  readonly others: string
}

/** Schemas of the catalog, in the order in which a name without one is looked up: `coverage` is `mart.coverage`. */
export const CATALOG_SCHEMAS = ['market', 'mart', 'account', 'ops', 'recon', 'mine'] as const

const provenance = ['request_id', 'loaded_at'] as const

/** Every relation that is published: market, account, ops, recon, mart. */
export const relations: readonly Relation[] = [
  fact('market.security', ['symbol']),
  fact('market.security_history', ['symbol', 'valid_from']),
  session('market.security_daily', ['symbol', 'trading_date']),
  fact('market.market_index', ['index_code']),
  fact('market.index_member', ['index_code', 'symbol', 'valid_from']),
  session('market.daily_summary', ['symbol', 'trading_date']),
  session('market.index_summary', ['index_code', 'trading_date']),
  session('market.price_limit', ['symbol', 'trading_date']),
  fact('market.corporate_action', ['symbol', 'ex_date', 'kind']),
  {
    ...session('market.candle', ['symbol', 'timeframe', 'opened_at']),
    split: { column: 'timeframe', value: '1m', others: 'longer-' },
  },
  {
    ...ledger(
      'market.revision',
      ['relation', 'key', 'column', 'observed_at'],
      ['observed_at', 'request_id', 'known_since'],
    ),
    ...monthly('observed_at', 'instant'),
    sort: ['relation', 'key', 'observed_at', 'column'],
  },
  fact('account.account', ['account_no']),
  {
    ...snapshot('snapshot', []),
    key: ['account_no', 'snapshot_id'],
    sort: ['snapshot_id', 'account_no'],
    volatile: ['snapshot_id', 'received_at'],
  },
  snapshot('equity_balance', ['account_no']),
  snapshot('derivative_balance', ['account_no']),
  snapshot('equity_margin', ['account_no']),
  snapshot('derivative_margin', ['account_no']),
  snapshot('equity_position', ['account_no', 'symbol']),
  snapshot('derivative_position', ['account_no', 'symbol', 'side_of_book']),
  snapshot('derivative_position_summary', ['account_no', 'symbol']),
  snapshot('order_book', ['account_no', 'order_id']),
  snapshot('conditional_order', ['account_no', 'fco_id']),
  snapshot('conditional_order_event', ['account_no', 'fco_id', 'ordinal']),
  snapshot('max_quantity', ['account_no', 'symbol']),
  ledger('ops.run', ['run_id'], ['run_id', 'started_at', 'finished_at', 'judged_at']),
  {
    ...ledger(
      'ops.request',
      ['request_id'],
      ['request_id', 'run_id', 'walk', 'attempts', 'received_at', 'raw_file'],
    ),
    ...monthly('received_at', 'instant'),
  },
  {
    ...ledger('ops.coverage', ['dataset', 'key', 'timeframe', 'window_from'], ['request_id']),
    ...monthly('window_from', 'date'),
  },
  {
    ...ledger('ops.quarantine', ['request_id', 'ordinal'], [...provenance]),
    ...monthly('loaded_at', 'instant'),
  },
  ledger('ops.publication', ['publication_id'], ['run_id', 'published_at']),
  {
    ...ledger('recon.finding', ['rule', 'subject', 'trading_date'], ['run_id', 'since', 'judged_at']),
    ...monthly('trading_date', 'date'),
    sort: ['trading_date', 'rule', 'subject'],
  },
  {
    ...ledger('recon.offender', ['rule', 'subject', 'trading_date', 'relation', 'key'], []),
    ...monthly('trading_date', 'date'),
    sort: ['trading_date', 'rule', 'subject', 'relation', 'key'],
  },
  ledger('recon.acceptance', ['rule', 'subject', 'trading_date', 'accepted_at'], ['accepted_at']),
  materialized('mart.adjustment_event', ['symbol', 'ex_date'], 'ex_date'),
  materialized('mart.reference_glitch', ['trading_date'], 'trading_date'),
  materialized('mart.chain_gap', ['symbol', 'trading_date'], 'trading_date'),
  { ...session('mart.intraday', ['symbol', 'trading_date']), volatile: [] },
  { ...session('mart.session_factor', ['symbol', 'trading_date']), volatile: [] },
]

/** A view of schema `mart` that is also a table of the lake, for engines other than DuckDB. The catalog computes it. */
export interface LakeMart extends Relation {
  /** Columns of the view that the table lacks, because events of later sessions change them in all earlier rows. */
  readonly omitted: readonly string[]
  /** Whether it is published unless the setting says otherwise. */
  readonly isDefault: boolean
}

/** Views that `CANDLEHOUSE_LAKE_MARTS` can name. */
export const lakeMarts: readonly LakeMart[] = [
  lakeMart(fact('mart.adjustment_factor', ['symbol', 'ex_date'])),
  lakeMart(session('mart.daily', ['symbol', 'trading_date']), { isDefault: false }),
  lakeMart({ ...session('mart.daily_adjusted', ['symbol', 'trading_date']), layout: 'symbol' }),
  lakeMart(session('mart.daily_factor', ['symbol', 'trading_date']), { omitted: ['close_adjusted'] }),
  lakeMart(fact('mart.instrument', ['symbol'])),
  lakeMart(fact('mart.listed_share', ['symbol', 'valid_from'])),
  lakeMart(session('mart.universe', ['symbol', 'trading_date'])),
]

/** Names of the tables that a lake can have: every relation, and the views that can be published beside them. */
export const tableNames: readonly string[] = [...relations, ...lakeMarts].map(({ name }) => name)

/** SQL for the month of a row, YYYY-MM in exchange time (UTC+7 all year). */
export function monthOf({ column, kind }: Dated): string {
  if (kind === 'id') return `left(${column}, 4) || '-' || substr(${column}, 5, 2)`
  return `strftime(${column}${kind === 'instant' ? ' + INTERVAL 7 HOUR' : ''}, '%Y-%m')`
}

/** Files that hold rows of one kind alone. A relation that is not split has one kind of files. */
export interface FileKind {
  /** What its partitions begin with. */
  readonly prefix: string
  /** SQL condition. */
  readonly rows: string
}

export function fileKindsOf({ split }: Pick<Relation, 'split'>): FileKind[] {
  if (!split) return [{ prefix: '', rows: 'true' }]
  const { column, value, others } = split
  return [
    { prefix: '', rows: `${column} = '${value}'` },
    { prefix: others, rows: `${column} <> '${value}'` },
  ]
}

/** The kind of a partition's file. */
export function fileKindOf(relation: Pick<Relation, 'split'>, partition: string): FileKind {
  const [main, others] = fileKindsOf(relation) as [FileKind, FileKind?]
  return others && partition.startsWith(others.prefix) ? others : main
}

/** SQL for what the partition of a row's file begins with. */
export function filePrefixOf(relation: Pick<Relation, 'split'>): string {
  const kinds = fileKindsOf(relation).map(({ prefix, rows }) => `WHEN ${rows} THEN '${prefix}'`)
  return `CASE ${kinds.join(' ')} END`
}

/** A partition without the prefix of its kind: session, month, year, or `all`. */
export function daysOf(relation: Pick<Relation, 'split'>, partition: string): string {
  return partition.slice(fileKindOf(relation, partition).prefix.length)
}

/** SQL for the quarter of a row's year, 1 to 4, in exchange time. */
export function quarterOf(dated: Dated): string {
  return `(CAST(right(${monthOf(dated)}, 2) AS INTEGER) + 2) // 3`
}

/** Finds a relation by its name. @throws RangeError */
export function relationOf(name: string): Relation {
  const relation = relations.find((candidate) => candidate.name === name)
  if (!relation) throw new RangeError(`there is no relation ${name}`)
  return relation
}

function fact(name: string, key: string[]): Relation {
  return { name, key, layout: 'whole', dated: undefined, sort: key, volatile: provenance }
}

function session(name: string, key: string[]): Relation {
  return { ...fact(name, key), layout: 'session', dated: { column: 'trading_date', kind: 'date' } }
}

function monthly(column: string, kind: Dated['kind']): Pick<Relation, 'layout' | 'dated'> {
  return { layout: 'month', dated: { column, kind } }
}

/** Rows of account snapshots. All rows of a snapshot are in one month. */
function snapshot(name: string, keyInSnapshot: string[]): Relation {
  const key = ['snapshot_id', ...keyInSnapshot]
  return {
    ...fact(`account.${name}`, key),
    ...monthly('snapshot_id', 'id'),
    volatile: ['snapshot_id', ...provenance],
  }
}

/** A materialized table of schema `mart`: computed from other relations, so its rows belong to no page. */
function materialized(name: string, key: string[], day: string): Relation {
  return { ...fact(name, key), ...monthly(day, 'date'), volatile: [] }
}

function ledger(name: string, key: string[], volatile: string[]): Relation {
  return { ...fact(name, key), volatile }
}

function lakeMart(
  relation: Relation,
  { omitted = [], isDefault = true }: Partial<Pick<LakeMart, 'omitted' | 'isDefault'>> = {},
): LakeMart {
  return { ...relation, volatile: [], omitted, isDefault }
}
