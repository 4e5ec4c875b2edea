import type { Database } from '../duckdb/open.js'
import type { Day } from '../market/day.js'
import type { EarlierSnapshots, KnownAccount } from '../plan/account-parts.js'

/**
 * Statuses from which a conditional order goes nowhere (docs/market-facts.md#conditional-order-statuses):
 * terminated, finished, expired, error.
 */
const ENDED = ['TER', 'FIS', 'EXP', 'ERR']

/** What earlier snapshots tell the planner of this one. */
export async function readEarlierSnapshots(database: Database, asOf: Day): Promise<EarlierSnapshots> {
  const before = await database.rows<{ account_no: string; as_of: Day }>(
    `SELECT account_no, CAST(max(as_of) AS VARCHAR) AS as_of FROM account.snapshot
     WHERE state = 'complete' AND as_of < ?::DATE GROUP BY account_no`,
    [asOf],
  )
  const settled = await database.rows<{ fco_id: string }>(
    `WITH latest AS (
       SELECT account_no, max(snapshot_id) AS snapshot_id FROM account.snapshot
       WHERE state = 'complete' GROUP BY account_no
     )
     SELECT fco_id FROM account.conditional_order JOIN latest USING (account_no, snapshot_id)
     WHERE status IN (${ENDED.map((state) => `'${state}'`).join(', ')})`,
  )
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
    `WITH latest AS (
       SELECT account_no, max(snapshot_id) AS snapshot_id FROM account.snapshot
       WHERE state = 'complete' GROUP BY account_no
     )
     SELECT account_no AS account, symbol FROM account.equity_position SEMI JOIN latest USING (account_no, snapshot_id)
     UNION ALL SELECT account_no, symbol FROM account.derivative_position_summary SEMI JOIN latest USING (account_no, snapshot_id)
     ORDER BY ALL`,
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
    `WITH wanted AS (SELECT unnest(from_json(?, '["VARCHAR"]')) AS symbol)
     SELECT symbol, regexp_replace(CAST(close AS VARCHAR), '\\.?0+$', '') AS close
     FROM market.daily_summary SEMI JOIN wanted USING (symbol)
     WHERE trading_date BETWEEN ?::DATE AND ?::DATE AND close > 0
     QUALIFY row_number() OVER (PARTITION BY symbol ORDER BY trading_date DESC) = 1`,
    [JSON.stringify(symbols), from, to],
  )
  return new Map(rows.map((row) => [row.symbol, row.close]))
}
