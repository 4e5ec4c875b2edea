import type { Database } from '../duckdb/open.js'
import { sqlFile } from '../duckdb/sqlfile.js'
import type { Day } from '../market/day.js'
import type { EarlierSnapshots, KnownAccount } from '../plan/account-parts.js'

/** What earlier snapshots tell the planner of this one. */
export async function readEarlierSnapshots(database: Database, asOf: Day): Promise<EarlierSnapshots> {
  const before = await database.rows<{ account_no: string; as_of: Day }>(
    `SELECT account_no, CAST(max(as_of) AS VARCHAR) AS as_of FROM account.snapshot
     WHERE state = 'complete' AND as_of < ?::DATE GROUP BY account_no`,
    [asOf],
  )
  const settled = await database.rows<{ fco_id: string }>(sqlFile('warehouse/ended_conditional_orders.sql'))
  return {
    before: new Map(before.map((row) => [row.account_no, row.as_of])),
    settled: new Set(settled.map((row) => row.fco_id)),
  }
}

/** What the latest complete snapshot named: how many questions the next one will take, as far as can be known. */
export async function latestNamed(
  database: Database,
): Promise<{ accounts: KnownAccount[]; holdings: { account: string; symbol: string }[] }> {
  const accounts = await database.rows<KnownAccount>(
    'SELECT account_no AS account, account_type AS type FROM account.account ORDER BY account_no',
  )
  const holdings = await database.rows<{ account: string; symbol: string }>(
    sqlFile('warehouse/latest_holdings.sql'),
  )
  return { accounts, holdings }
}

/**
 * The latest close of each symbol between two days, as plain decimal text. Symbols that have none are left out.
 */
export async function latestCloses(
  database: Database,
  symbols: readonly string[],
  from: Day,
  to: Day,
): Promise<Map<string, string>> {
  const rows = await database.rows<{ symbol: string; close: string }>(
    sqlFile('warehouse/latest_closes.sql'),
    [JSON.stringify(symbols), from, to],
  )
  return new Map(rows.map((row) => [row.symbol, row.close]))
}
