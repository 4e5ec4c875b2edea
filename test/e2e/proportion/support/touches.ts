import type { Difference, Row, Touch } from './differences.js'
import { sessionOf } from './world.js'

const dayOf = (row: Row): string =>
  String(row.trading_date ?? row.window_from ?? row.ex_date ?? '').slice(0, 10)

/** Rows that are computed from what a relation of the market holds of a symbol and a session. */
const COMPUTED = [
  'mart.intraday',
  'mart.session_factor',
  'mart.chain_gap',
  'mart.adjustment_event',
  'mart.reference_glitch',
]

const coverageOf = ({ relation, row }: Difference, dataset: string, key?: string): boolean =>
  relation === 'ops.coverage' && row.dataset === dataset && (key ?? row.key) === row.key

/** Bars of a symbol in the sessions of a night, and what is computed from them. */
export const barsOf =
  (symbol: string | undefined, days: readonly string[]): Touch =>
  (each) =>
    coverageOf(each, 'ohlc', symbol) ||
    (['market.candle', ...COMPUTED].includes(each.relation) &&
      (symbol ?? each.row.symbol) === each.row.symbol &&
      days.includes(dayOf(each.row)))

/** Daily bars that are compared with summaries are of any session: they were not stored before. */
export const dailyBarsBehind =
  (symbol: string | undefined): Touch =>
  ({ relation, row }) =>
    relation === 'market.candle' && row.timeframe === '1d' && (symbol ?? row.symbol) === row.symbol

export const indexOn =
  (index: string, days: readonly string[]): Touch =>
  (each) =>
    coverageOf(each, 'indexSummary', index) ||
    // Factors compare each symbol with an index.
    (each.relation === 'mart.session_factor' && days.includes(dayOf(each.row))) ||
    (each.relation === 'market.index_summary' &&
      each.row.index_code === index &&
      days.includes(dayOf(each.row)))

export const limitsOn =
  (days: readonly string[]): Touch =>
  (each) =>
    coverageOf(each, 'masterdata') ||
    (['market.price_limit', ...COMPUTED].includes(each.relation) && days.includes(dayOf(each.row)))

/** The list of a board: what is known of its symbols, as of that night. */
export const listOf =
  (board: string, symbols: readonly string[] = []): Touch =>
  (each) =>
    coverageOf(each, 'securities', board) ||
    (LISTS.includes(each.relation) && symbols.includes(String(each.row.symbol)))

/** What lists say of symbols. */
export const LISTS = [
  'market.security',
  'market.security_history',
  'market.security_daily',
  'market.index_member',
]

/** A list tells of its moment: when a symbol was first seen, and what a list alone says of a session. */
export const firstSeenOn =
  (night: number, symbols: readonly string[]): Touch =>
  ({ relation, row }) =>
    (relation === 'market.security_daily' &&
      symbols.includes(String(row.symbol)) &&
      dayOf(row) === sessionOf(night)) ||
    // The ledger says of that session for ever that its list failed.
    (relation === 'ops.coverage' &&
      ['securities', 'indexMembers', 'indexes'].includes(String(row.dataset)) &&
      dayOf(row) === sessionOf(night)) ||
    (night === 1 && (LISTS.includes(relation) || isCrossCheck(relation, row)))

/** Cross-checks are drawn by how many symbols are listed: on the first night a list that failed leaves fewer. */
const isCrossCheck = (relation: string, { dataset, timeframe }: Row): boolean =>
  (relation === 'market.candle' || dataset === 'ohlc') && !['1m', '1d'].includes(String(timeframe))

export const membersOf =
  (index: string): Touch =>
  (each) =>
    coverageOf(each, 'indexMembers', index) ||
    (each.relation === 'market.index_member' && each.row.index_code === index)

export const indexList: Touch = (each) =>
  coverageOf(each, 'indexes') || each.relation === 'market.market_index'

/** Summaries of a night's sessions, of a symbol or of all, and what rules tie to them. */
export const summariesOn =
  (days: readonly string[], symbol?: string): Touch =>
  (each) =>
    coverageOf(each, 'securitiesSummary') ||
    coverageOf(each, 'ohlc', symbol) ||
    (['market.daily_summary', 'market.candle', 'market.security_daily', ...COMPUTED].includes(
      each.relation,
    ) &&
      (symbol ?? each.row.symbol) === each.row.symbol &&
      days.includes(dayOf(each.row)))

/** What an account reports in the snapshot of a day. */
export const snapshotOf =
  (accountNo: string | undefined, day: string): Touch =>
  ({ relation, row }) =>
    (relation.startsWith('account.') &&
      (row.as_of === undefined || String(row.as_of).slice(0, 10) === day) &&
      (accountNo === undefined || row.account_no === undefined || row.account_no === accountNo)) ||
    (relation === 'ops.coverage' && row.dataset === 'snapshot')

/** The largest quantities that accounts may trade are requested at the night's close, or at the one before. */
export const quantitiesOn =
  (day: string): Touch =>
  ({ relation, row }) =>
    relation === 'account.max_quantity' && String(row.as_of).slice(0, 10) === day

/** The next snapshot asks for orders from the last complete one on: it has those of a day that failed as well. */
export const moreOrdersOf =
  (accountNo: string | undefined, day: string): Touch =>
  ({ relation, kind, row }) =>
    relation === 'account.order_book' &&
    kind === 'new' &&
    String(row.as_of).slice(0, 10) > day &&
    (accountNo ?? row.account_no) === row.account_no

export const either =
  (...all: readonly Touch[]): Touch =>
  (each) =>
    all.some((touches) => touches(each))
