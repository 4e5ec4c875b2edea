-- grain: one row per symbol that has its turn: days before the goal's, ascending, on which it traded and of
--   which nobody asked for its 1d bar
-- Bound: {symbols: [...], from: day, before: day} as JSON
WITH bound AS (
  SELECT from_json(?::JSON, '{"symbols": ["VARCHAR"], "from": "DATE", "before": "DATE"}') AS given
), traded AS (
  SELECT symbol, trading_date
  FROM market.daily_summary, bound
  WHERE trading_date >= given."from" AND trading_date < given.before
    AND total_match > 0 AND list_contains(given.symbols, symbol)
), asked AS (
  SELECT key AS symbol, window_from AS trading_date
  FROM ops.coverage, bound
  WHERE dataset = 'ohlc' AND timeframe = '1d' AND state <> 'imported'
    AND window_from >= given."from" AND window_from < given.before
)
SELECT symbol, string_agg(CAST(trading_date AS VARCHAR), ' ' ORDER BY trading_date) AS days
FROM traded ANTI JOIN asked USING (symbol, trading_date)
GROUP BY symbol
ORDER BY symbol;
