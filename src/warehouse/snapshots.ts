import type { Day } from 'candlehouse-foundation/market/day'
import type { Database } from '../duckdb/open.js'
import { sqlFile } from '../duckdb/sqlfile.js'
import type { EarlierSnapshots, KnownAccount } from '../plan/account-parts.js'

/** Facts of earlier snapshots from which the next one is planned. @param asOf trading date of the next one */
export async function readEarlierSnapshots(database: Database, asOf: Day): Promise<EarlierSnapshots> {
  const latest = await database.rows<{ account_no: string; as_of: Day }>(
    `SELECT account_no, CAST(max(as_of) AS VARCHAR) AS as_of FROM account.snapshot
     WHERE state = 'complete' AND as_of < ?::DATE GROUP BY account_no`,
    [asOf],
  )
  const ended = await database.column<string>(sqlFile('warehouse/ended_conditional_orders.sql'))
  return {
    latestComplete: new Map(latest.map((row) => [row.account_no, row.as_of])),
    endedConditionals: new Set(ended),
  }
}

/** Accounts and positions of the latest complete snapshot, to estimate the requests of the next one. */
export async function latestNamed(
  database: Database,
): Promise<{ accounts: KnownAccount[]; positions: { account: string; symbol: string }[] }> {
  const accounts = await database.rows<KnownAccount>(
    'SELECT account_no AS account, account_type AS type FROM account.account ORDER BY account_no',
  )
  const positions = await database.rows<{ account: string; symbol: string }>(
    sqlFile('warehouse/latest_holdings.sql'),
  )
  return { accounts, positions }
}

/**
 * The accounts that were read last with a key, and that its latest list named.
 *
 * @param notListed how the reason of a snapshot begins whose account the list did not name
 */
export async function latestListed(
  database: Database,
  keyName: string,
  notListed: string,
): Promise<KnownAccount[]> {
  return await database.rows<KnownAccount>(sqlFile('warehouse/latest_listed.sql'), [keyName, notListed])
}

/** Symbol → its latest close between two days, as plain decimal text. A symbol without a close is absent. */
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
