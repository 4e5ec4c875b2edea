import type { Database } from '../../src/duckdb/open.js'
import { installParsers } from '../../src/duckdb/parse.js'
import { sqlFile } from '../../src/duckdb/sqlfile.js'

/** A row of a session that all answers omit. */
export interface GoneRow {
  readonly dataset: 'securitiesSummary' | 'masterdata' | 'ohlc'
  readonly symbol: string
  readonly day: string
  readonly timeframe?: string
}

/** Withdraws rows as the evidence of two trading dates does, without those nights. @param receivedAt of the latest answer */
export async function withdrawRows(
  warehouse: Database,
  rows: readonly GoneRow[],
  receivedAt: string,
): Promise<void> {
  await installParsers(warehouse)
  await warehouse.run(
    `CREATE OR REPLACE TEMP TABLE withdrawn_session AS
     SELECT dataset, symbol, CAST(day AS DATE) AS day, coalesce(timeframe, '') AS timeframe,
       ?::TIMESTAMPTZ AS received_at, (SELECT max(request_id) FROM ops.request) AS request_id
     FROM (SELECT unnest(from_json(?, '[{"dataset": "VARCHAR", "symbol": "VARCHAR", "day": "VARCHAR",
       "timeframe": "VARCHAR"}]'), recursive := true))`,
    [receivedAt, JSON.stringify(rows)],
  )
  await warehouse.run(sqlFile('evidence/withdraw.sql'))
}
