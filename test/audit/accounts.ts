import { type Given, limit, type Row, SESSION, SESSION_BEFORE, type Situation } from './world.js'

export const ACCOUNT = '0881234561'
/** An account that nobody listed: breaks of rules that still learn are soft. */
export const UNLISTED = '0881234566'
export const FUTURES = '0881234568'
export const NOW = '20250314T110000000Z-0002'
export const BEFORE = '20250313T110000000Z-0001'

/** A complete snapshot of the evening. */
export function snapshot(over: Row = {}): Row {
  return {
    account_no: ACCOUNT,
    snapshot_id: NOW,
    as_of: SESSION,
    state: 'complete',
    received_at: `${over.as_of ?? SESSION} 18:00:00+07`,
    ...over,
  }
}

/** The one of the session before. */
export function former(over: Row = {}): Row {
  return snapshot({ snapshot_id: BEFORE, as_of: SESSION_BEFORE, ...over })
}

const nothing = (...names: string[]): Row => Object.fromEntries(names.map((name) => [name, '0']))

export function position(over: Row = {}): Row {
  return {
    snapshot_id: NOW,
    account_no: ACCOUNT,
    symbol: 'HPG',
    ...nothing(
      'block_quantity',
      'dividend_quantity',
      'buying_quantity',
      'bought_quantity',
      'selling_quantity',
    ),
    ...nothing('sold_quantity', 't1_sell_quantity', 't2_sell_quantity', 'mortgage_quantity'),
    ...nothing('restricted_quantity'),
    quantity: '1000',
    sellable_quantity: '1000',
    ...over,
  }
}

/** Contracts of a derivative account. */
export function contracts(over: Row = {}): Row {
  return {
    snapshot_id: NOW,
    account_no: FUTURES,
    symbol: 'VN30F2503',
    long: '3',
    short: '1',
    net: '2',
    trading_pl: '0',
    floating_pl: '0',
    ...over,
  }
}

/** A buy of 100 shares in the morning, filled. */
export function order(over: Row = {}): Row {
  return {
    snapshot_id: NOW,
    account_no: ACCOUNT,
    order_id: '1',
    symbol: 'HPG',
    side: 'B',
    order_type: 'LO',
    quantity: '100',
    price: '27000',
    filled_qty: '100',
    cancel_qty: '0',
    avg_price: '27000',
    input_at: `${SESSION} 09:30:00+07`,
    order_status: 'FF',
    ...over,
  }
}

export function balance(over: Row = {}): Row {
  return {
    snapshot_id: NOW,
    account_no: ACCOUNT,
    account_balance: '100000000',
    ...nothing('total_debt', 'interest_loan', 'overdue_fee_loan', 'dividend'),
    ...nothing('sell_t0', 'sell_t1', 'sell_t2', 'buy_t0', 'buy_t1', 'buy_t2'),
    ...over,
  }
}

/** Both sessions have price limits: one lies between the snapshots. */
export const SESSIONS: Given = {
  'market.price_limit': [limit({ trading_date: SESSION_BEFORE }), limit()],
}

/** The same of an account that nobody listed. */
export function unlisted(situation: Situation): Situation {
  const given = Object.entries(situation.given).map(([relation, rows]) => [
    relation,
    rows.map((row) => (row.account_no === ACCOUNT ? { ...row, account_no: UNLISTED } : row)),
  ])
  return { ...situation, given: Object.fromEntries(given) as Given }
}

/** What no rule about accounts can check. */
export const SHORT = {
  when: 'the snapshot is short',
  given: { 'account.snapshot': [snapshot({ state: 'partial', missing: 'orders: 2 of 3' })] },
  note: /the snapshot is short: orders: 2 of 3/,
}
export const NOBODY = { when: 'no account was read', given: {}, note: /no account was read/ }
