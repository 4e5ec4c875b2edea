import { type FieldColumn, type FieldTable, fieldColumns } from 'candlehouse-foundation/fields/field'
import { accountFields } from 'candlehouse-foundation/fields/relations'
import type { PartName } from '../../plan/parts.js'

/** A relation of `account.*` that a snapshot fills, and the part that has its records. */
export interface AccountTable {
  readonly name: string
  readonly part: PartName
  readonly fields: FieldTable
  /** Columns that name a row within its snapshot. */
  readonly key: readonly string[]
  /**
   * Treatment of records of one key that differ. `later`: the list shifted between requests, so the later record is the
   * current one (docs/market-facts.md#order-book-paging). `reject`: they contradict each other, so all of them are rejected.
   */
  readonly duplicates: 'later' | 'reject'
}

const table = (
  name: keyof typeof accountFields,
  part: PartName,
  key: string,
  duplicates: AccountTable['duplicates'] = 'reject',
): AccountTable => ({ name, part, fields: accountFields[name], key: key.split(' '), duplicates })

/** In the order of the published relations. */
export const ACCOUNT_TABLES: readonly AccountTable[] = [
  table('equity_balance', 'accountBalance', 'account_no'),
  table('derivative_balance', 'accountBalance', 'account_no'),
  table('equity_margin', 'ppmmrAccount', 'account_no'),
  table('derivative_margin', 'ppmmrAccount', 'account_no'),
  table('equity_position', 'position', 'account_no symbol'),
  table('derivative_position', 'positionDetail', 'account_no symbol side_of_book'),
  table('derivative_position_summary', 'position', 'account_no symbol'),
  table('order_book', 'orderBook', 'account_no order_id', 'later'),
  table('conditional_order', 'fcoList', 'account_no fco_id', 'later'),
  table('conditional_order_event', 'fcoStatusHistory', 'account_no fco_id ordinal'),
  table('max_quantity', 'maxBuySell', 'account_no symbol'),
]

/** The list of accounts is not a part of a single snapshot, but is read the same way. */
export const ACCOUNT_LIST: AccountTable = table('account', 'accountInfo', 'account_no')

/** Every table that loading SQL exists for. */
export const ACCOUNT_TABLE_NAMES: readonly string[] = [ACCOUNT_LIST, ...ACCOUNT_TABLES].map(
  ({ name }) => name,
)

/** Names of the API's fields that a table's loading SQL reads. */
export function fieldsOf({ fields }: AccountTable): string[] {
  return fieldColumns(fields).map(({ name }) => name)
}

/** More figures than these are read by their names, in one expression: planning one for each takes longer (`sql/parse`). */
const FIGURES_ONE_BY_ONE = 12

/** Fields whose loading SQL reads them by their names; none where each has its own expression. */
export function figuresOf({ fields }: AccountTable): FieldColumn[] {
  const figures = fieldColumns(fields).filter(({ field }) => field.type === 'money' || field.type === 'ratio')
  return figures.length > FIGURES_ONE_BY_ONE ? figures : []
}

/** DuckDB's type of a table's record, as its loading SQL reads it: a STRUCT, or a MAP from names to texts. */
export function recordTypeOf(table: AccountTable): string | Record<string, 'VARCHAR'> {
  if (figuresOf(table).length > 0) return 'MAP(VARCHAR, VARCHAR)'
  return Object.fromEntries(fieldsOf(table).map((field) => [field, 'VARCHAR']))
}
