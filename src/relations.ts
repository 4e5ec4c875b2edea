/** How a relation is laid out in the lake: by session and month, or as one file that is written whole. */
export type Layout = 'session' | 'whole'

export interface Relation {
  /** Schema-qualified name, the same in warehouse, lake and catalog. */
  readonly name: string
  /** Logical key: unique, checked, not indexed. */
  readonly key: readonly string[]
  readonly layout: Layout
  /** Sort order inside a file, so that readers of one symbol touch few row groups. */
  readonly sort: readonly string[]
  /** Columns that differ between two runs that saw the same answers; table hashes leave them out. */
  readonly volatile: readonly string[]
}

const provenance = ['request_id', 'loaded_at'] as const

/** Every relation that is published, in the order of `interface.md`. */
export const relations: readonly Relation[] = [
  fact('market.security', ['symbol'], 'whole'),
  fact('market.security_history', ['symbol', 'valid_from'], 'whole'),
  fact('market.market_index', ['index_code'], 'whole'),
  fact('market.index_member', ['index_code', 'symbol', 'valid_from'], 'whole'),
  fact('market.daily_summary', ['symbol', 'trading_date'], 'session'),
  fact('market.index_summary', ['index_code', 'trading_date'], 'session'),
  fact('market.price_limit', ['symbol', 'trading_date'], 'session'),
  fact('market.candle', ['symbol', 'timeframe', 'opened_at'], 'session'),
  {
    name: 'market.revision',
    key: ['relation', 'key', 'column', 'observed_at'],
    layout: 'whole',
    sort: ['relation', 'key', 'observed_at', 'column'],
    volatile: ['observed_at', 'request_id'],
  },
  fact('account.account', ['account_no'], 'whole'),
  {
    name: 'account.snapshot',
    key: ['account_no', 'snapshot_id'],
    layout: 'whole',
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
  ledger('ops.run', ['run_id'], ['run_id', 'started_at', 'finished_at']),
  ledger(
    'ops.request',
    ['request_id'],
    ['request_id', 'run_id', 'walk', 'attempts', 'received_at', 'raw_file'],
  ),
  ledger('ops.coverage', ['dataset', 'key', 'timeframe', 'window_from'], ['request_id']),
  ledger('ops.quarantine', ['request_id', 'ordinal'], [...provenance]),
  ledger('ops.publication', ['publication_id'], ['run_id', 'published_at']),
]

function fact(name: string, key: string[], layout: Layout): Relation {
  return { name, key, layout, sort: key, volatile: provenance }
}

/** Rows of account snapshots: small, so that each relation is one file. */
function snapshot(name: string, within: string[]): Relation {
  const key = ['snapshot_id', ...within]
  return {
    name: `account.${name}`,
    key,
    layout: 'whole',
    sort: key,
    volatile: ['snapshot_id', ...provenance],
  }
}

function ledger(name: string, key: string[], volatile: string[]): Relation {
  return { name, key, layout: 'whole', sort: key, volatile }
}
