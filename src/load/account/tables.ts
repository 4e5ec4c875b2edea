import { sqlFile } from '../../duckdb/sqlfile.js'
import type { PartName } from '../../plan/parts.js'

/** A relation of `account.*` that a snapshot fills, and the part that has its records. */
export interface AccountTable {
  readonly name: string
  readonly part: PartName
  /** Columns that name a row within its snapshot. */
  readonly key: readonly string[]
  /**
   * Treatment of records of one key that differ. `later`: the list shifted between requests, so the later record is the
   * current one (docs/market-facts.md#order-book-paging). `reject`: they contradict each other, so all of them are rejected.
   */
  readonly duplicates: 'later' | 'reject'
}

const table = (
  name: string,
  part: PartName,
  key: string,
  duplicates: AccountTable['duplicates'] = 'reject',
): AccountTable => ({ name, part, key: key.split(' '), duplicates })

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

/** Names of the API's fields that a table's loading SQL reads: as `r.name`, or as `r['name']` if there are dozens. */
export function fieldsOf(name: string): string[] {
  const sql = sqlFile(`load/account/${name}.sql`)
  const fields = areByName(sql)
    ? sql.matchAll(/\b(?:r|money|ratios)\['(\w+)'\]/g)
    : sql.matchAll(/\br\."?(\w+)"?/g)
  return [...new Set([...fields].map(([, field = '']) => field))]
}

/** DuckDB's type of a table's record, as its loading SQL reads it: a STRUCT, or a MAP from names to texts. */
export function recordTypeOf(name: string): string | Record<string, 'VARCHAR'> {
  if (areByName(sqlFile(`load/account/${name}.sql`))) return 'MAP(VARCHAR, VARCHAR)'
  return Object.fromEntries(fieldsOf(name).map((field) => [field, 'VARCHAR']))
}

function areByName(sql: string): boolean {
  return sql.includes("r['")
}
