import type { Database } from '../../src/duckdb/open.js'

/** Size of a session: bars of every symbol, and what the ledger grows by. */
export interface SessionSize {
  symbols: number
  bars: number
}

/** Weekdays between two days, as SQL. */
function weekdays(from: string, to: string): string {
  return `(SELECT day::DATE AS day FROM generate_series(DATE '${from}', DATE '${to}', INTERVAL 1 DAY) t(day)
    WHERE isodow(day) < 6)`
}

/**
 * Puts sessions into a warehouse as a night would leave them: candles, daily summaries, price limits, and the
 * ledger rows that grow with every night. Dirty marks included; nothing is published.
 */
export async function addSessions(
  warehouse: Database,
  from: string,
  to: string,
  { symbols, bars }: SessionSize,
): Promise<void> {
  const days = weekdays(from, to)
  const symbol = `(SELECT 'S' || lpad(i::VARCHAR, 4, '0') AS symbol, i FROM range(${symbols}) r(i))`
  const at = `day::TIMESTAMPTZ + INTERVAL 12 HOUR`
  await warehouse.transaction(async () => {
    await warehouse.run(`INSERT INTO market.candle
      SELECT symbol, '1m', day::TIMESTAMPTZ + INTERVAL 2 HOUR + to_minutes(bar), day,
        20000 + hash(i, day, bar) % 1000, 21000 + hash(i, bar) % 1000, 19000 + hash(bar, i) % 1000,
        20000 + hash(day, i, bar) % 1000, hash(i, bar, day) % 100000, (hash(bar, day) % 100000000)::DECIMAL(18,2),
        false, 'bench-' || day || '-' || i, ${at}
      FROM ${days}, ${symbol}, range(${bars}) b(bar) ORDER BY day, i, bar`)
    await warehouse.run(`INSERT INTO market.daily_summary (symbol, trading_date, open, high, low, close, total_match, request_id, loaded_at)
      SELECT symbol, day, 20000 + i, 21000 + i, 19000 + i, 20500 + i, 1000 * i, 'bench-' || day, ${at} FROM ${days}, ${symbol} ORDER BY ALL`)
    await warehouse.run(`INSERT INTO market.price_limit
      SELECT symbol, 'HOSE', day, 21000 + i, 19000 + i, 20000 + i, 'bench-' || day, ${at} FROM ${days}, ${symbol} ORDER BY ALL`)
    await warehouse.run(`INSERT INTO ops.coverage (dataset, key, timeframe, window_from, window_to, state, reason, row_count, expires_on, request_id)
      SELECT dataset, symbol, IF(dataset = 'ohlc', '1m', ''), day, day, 'complete', NULL, ${bars}, NULL, 'bench-' || day
      FROM ${days}, ${symbol}, (VALUES ('ohlc'), ('securitiesSummary'), ('masterdata')) d(dataset)`)
    await warehouse.run(`INSERT INTO ops.request (request_id, run_id, dataset, endpoint, query, walk, page, attempts, status, received_at, bytes, row_count, sha256, raw_file)
      SELECT 'bench-' || day || '-' || i, 'bench-' || day, 'ohlc', 'ohlc', '{}', 'w', 1, 1, 200, ${at}, 90000, ${bars}, md5(i::VARCHAR), 'raw'
      FROM ${days}, ${symbol}`)
    await warehouse.run(`INSERT INTO ops.run (run_id, job, trading_date, started_at, state, exit_code)
      SELECT 'bench-' || day, 'nightly', day, ${at}, 'done', 0 FROM ${days}`)
    for (const relation of ['candle', 'daily_summary', 'price_limit'])
      await warehouse.run(
        `INSERT INTO ops.dirty_partition SELECT 'market.${relation}', day::VARCHAR FROM ${days}`,
      )
    for (const relation of ['coverage', 'request'])
      await warehouse.run(
        `INSERT INTO ops.dirty_partition SELECT DISTINCT 'ops.${relation}', strftime(day, '%Y-%m') FROM ${days}`,
      )
    await warehouse.run(`INSERT INTO ops.dirty_partition VALUES ('ops.run', 'all')`)
  })
}
