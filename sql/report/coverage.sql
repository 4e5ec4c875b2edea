-- grain: one row per dataset, timeframe and session of the last 20 sessions
-- Longer candles are requested for a few symbols only, as cross-checks: they have no row.
WITH recent_session AS (
  SELECT DISTINCT trading_date
  FROM mart.coverage
  WHERE trading_date <= $day AND timeframe IN ('', '1m', '1d')
  ORDER BY trading_date DESC
  LIMIT 20
)
SELECT dataset, timeframe, trading_date AS day,
  CASE
    WHEN is_missing THEN 'missing'
    WHEN incomplete > 0 THEN 'incomplete'
    WHEN complete + imported > 0 THEN 'complete'
    WHEN refused > 0 THEN 'refused'
    ELSE 'empty'
  END AS state,
  CAST(windows AS DOUBLE) AS windows, CAST(complete + imported + empty AS DOUBLE) AS answered,
  CAST(coalesce(row_count, 0) AS DOUBLE) AS rows,
  CASE WHEN is_missing OR incomplete > 0 THEN CAST(expires_on - $today AS DOUBLE) END AS "expiresInDays"
FROM mart.coverage
WHERE trading_date IN (SELECT trading_date FROM recent_session) AND timeframe IN ('', '1m', '1d')
ORDER BY dataset, timeframe, day;
