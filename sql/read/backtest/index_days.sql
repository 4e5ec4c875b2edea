-- grain: one row per index and session from $first_day to $last_day
-- The service reports an index at its close alone. volume is matched shares.
SELECT mart.plain_index_code(index_code) AS symbol,
  CAST(trading_date AS VARCHAR) AS session,
  CAST(index_value AS DOUBLE) AS close,
  CAST(total_match AS DOUBLE) AS volume
FROM market.index_summary
WHERE trading_date BETWEEN $first_day AND $last_day
ORDER BY symbol, session
