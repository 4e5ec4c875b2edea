import type { Database } from '../../src/duckdb/open.js'

export interface MarketSize {
  /** Symbols with daily summaries and price limits. */
  symbols: number
  /** Of these, symbols whose 1m bars are held: the more traded half of a market. */
  traded: number
  /** Latest sessions that have bars. */
  sessions: number
  /** First and last session. */
  from: string
  to: string
}

/**
 * Puts years of a market into a warehouse, each month in the order in which the lake keeps it: daily summaries and price
 * limits of every symbol, and 225 one-minute bars a session of those that are traded. Prices move a little from bar to
 * bar, so that they compress as prices do. Dirty marks included; nothing is published.
 */
export async function addMarket(warehouse: Database, size: MarketSize): Promise<void> {
  const at = `day::TIMESTAMPTZ + INTERVAL 12 HOUR`
  const symbol = (count: number): string =>
    `(SELECT 'S' || lpad(i::VARCHAR, 4, '0') AS symbol, i, 8000 + i * 17 // 50 * 50 AS base FROM range(${count}) r(i))`
  await warehouse.run(`CREATE TEMP TABLE weekday AS
    SELECT day::DATE AS day, row_number() OVER (ORDER BY day DESC) <= ${size.sessions} AS has_bars
    FROM generate_series(DATE '${size.from}', DATE '${size.to}', INTERVAL 1 DAY) t(day) WHERE isodow(day) < 6`)
  const months = await warehouse.rows<{ month: string }>(
    `SELECT DISTINCT strftime(day, '%Y-%m') AS month FROM weekday ORDER BY month`,
  )
  await warehouse.run(`INSERT INTO market.security (symbol, board, listed_share, first_seen, last_seen, is_listed)
    SELECT symbol, 'HOSE', 100000000 + i * 1000, DATE '${size.from}', DATE '${size.to}', true FROM ${symbol(size.symbols)}`)
  for (const { month } of months) {
    const days = `(SELECT day, has_bars, epoch(day)::BIGINT // 86400 AS n FROM weekday WHERE strftime(day, '%Y-%m') = '${month}')`
    await warehouse.run(`INSERT INTO market.price_limit
      SELECT symbol, 'HOSE', day, base + 600, base - 600, base, 'bench-' || day, ${at}
      FROM ${days}, ${symbol(size.symbols)} ORDER BY symbol, day`)
    await warehouse.run(`INSERT INTO market.daily_summary (symbol, trading_date, open, high, low, close, average,
        price_change, total_match, total_match_value, total_deal, total_deal_value, request_id, loaded_at)
      SELECT symbol, day, base, base + 500, base - 500, base + move * 50, base, move * 50, match, match * base,
        0, 0, 'bench-' || day, ${at}
      FROM (SELECT *, (hash(i, n) % 21)::BIGINT - 10 AS move, (hash(n, i) % 20000)::BIGINT * 100 AS match
        FROM ${days}, ${symbol(size.symbols)}) ORDER BY symbol, day`)
    await warehouse.run(`INSERT INTO market.candle
      SELECT symbol, '1m', day::TIMESTAMPTZ + INTERVAL 135 MINUTE + to_minutes(minute), day,
        base + step * 50, base + (step + 1) * 50, base + (step - 1) * 50, base + (hash(bar, i, n) % 3 + step - 1) * 50,
        volume, volume * base, false, 'bench-' || day || '-' || i, ${at}
      FROM (SELECT *, CASE WHEN bar < 135 THEN bar WHEN bar < 224 THEN bar + 90 ELSE 330 END AS minute,
          round(5 * sin((n * 225 + bar + i * 31) / 40.0))::BIGINT AS step, (hash(i, bar, n) % 300)::BIGINT * 100 AS volume
        FROM ${days}, ${symbol(size.traded)}, range(225) b(bar) WHERE has_bars)
      ORDER BY symbol, day, minute`)
  }
  for (const relation of ['daily_summary', 'price_limit'])
    await warehouse.run(
      `INSERT INTO ops.dirty_partition SELECT 'market.${relation}', day::VARCHAR FROM weekday`,
    )
  await warehouse.run(
    `INSERT INTO ops.dirty_partition SELECT 'market.candle', day::VARCHAR FROM weekday WHERE has_bars`,
  )
  await warehouse.run(`INSERT INTO ops.dirty_partition VALUES ('market.security', 'all')`)
  await warehouse.run('DROP TABLE weekday')
}
