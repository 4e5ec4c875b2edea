-- grain: one row per session of a symbol or an index
-- The fetched candle; where a session has none, its daily summary, which market.candle would read once more;
-- of an index without candles its value at the close alone. All begin at midnight, exchange time: what is
-- compared must share its times.
WITH candle AS (
  SELECT trading_date, open, high, low, close, volume, value
  FROM market.candle
  WHERE symbol = $symbol AND timeframe = '1d' AND NOT is_derived
), summary AS (
  SELECT trading_date, open, high, low, close, total_match AS volume, total_match_value AS value
  FROM market.daily_summary
  -- what was not traded has no bar, although its close is repeated
  WHERE symbol = $symbol AND (close > 0 OR total_match > 0) AND total_match IS DISTINCT FROM 0
), index_value AS (
  SELECT trading_date, index_value AS close, nullif(total_match, 0) AS volume, total_match_value AS value
  FROM market.index_summary
  WHERE mart.plain_index_code(index_code) = mart.plain_index_code($symbol) AND index_value > 0
), session AS (
  FROM candle
  UNION ALL BY NAME
  FROM summary ANTI JOIN candle USING (trading_date)
  UNION ALL BY NAME
  FROM index_value ANTI JOIN candle USING (trading_date)
)
SELECT *, mart.session_instant(trading_date, 0) AS opened_at
FROM session
ORDER BY trading_date
