import * as accounts from './account.js'
import { commentOf, type FieldTable, fieldColumns } from './field.js'
import * as market from './market.js'
import * as orders from './orders.js'

/** The fields that fill the columns of a relation `market.NAME`. */
export const marketFields = {
  security: market.security,
  security_history: market.security,
  market_index: market.marketIndex,
  daily_summary: market.securitiesSummary,
  index_summary: market.indexSummary,
  price_limit: market.masterdata,
  candle: market.candle,
  corporate_action: market.corporateAction,
} satisfies Readonly<Record<string, FieldTable>>

/** The same of `account.NAME`. */
export const accountFields = {
  account: accounts.account,
  equity_balance: accounts.equityBalance,
  derivative_balance: accounts.derivativeBalance,
  equity_margin: accounts.equityMargin,
  derivative_margin: accounts.derivativeMargin,
  equity_position: accounts.equityPosition,
  derivative_position: accounts.derivativePosition,
  derivative_position_summary: accounts.derivativePosition,
  order_book: orders.order,
  // Its parameters are columns beside its own (docs/brokerage-api.md#names-in-the-warehouse).
  conditional_order: { ...orders.conditionalOrder, ...orders.conditionalParams },
  conditional_order_event: orders.conditionalEvent,
  max_quantity: accounts.maxQuantity,
} satisfies Readonly<Record<string, FieldTable>>

const schemas: Readonly<Record<string, Readonly<Record<string, FieldTable>>>> = {
  market: marketFields,
  account: accountFields,
}

/** Column → comment, for the columns that fields fill; empty for a relation that no record fills. */
export function fieldComments(relation: string): ReadonlyMap<string, string> {
  const [schema = '', name = ''] = relation.split('.')
  const table = schemas[schema]?.[name] ?? {}
  return new Map(fieldColumns(table).map(({ column, name, field }) => [column, commentOf(name, field)]))
}
