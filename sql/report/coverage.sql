-- grain: one row per dataset, timeframe and session of the last 20 sessions
-- Longer candles are requested for a few symbols only, as cross-checks: they have no row.
WITH recent_session AS (
  SELECT DISTINCT trading_date
  FROM mart.coverage
  WHERE trading_date <= $day AND timeframe IN ('', '1m', '1d')
  ORDER BY trading_date DESC
  LIMIT 20
)
SELECT dataset, timeframe, trading_date, CAST(windows AS DOUBLE) AS windows,
  CAST(complete + imported AS DOUBLE) AS complete, CAST(empty AS DOUBLE) AS empty,
  CAST(incomplete AS DOUBLE) AS incomplete, CAST(refused AS DOUBLE) AS refused,
  CAST(row_count AS DOUBLE) AS row_count, is_missing,
  CAST(expires_on - $today AS DOUBLE) AS expires_in_days
FROM mart.coverage
WHERE trading_date IN (SELECT trading_date FROM recent_session) AND timeframe IN ('', '1m', '1d')
ORDER BY dataset, timeframe, trading_date;
