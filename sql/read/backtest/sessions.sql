-- grain: one row per session from $first_day to $last_day that lies within what is stored
-- A weekday on which the market was open and of which no daily summary is stored is a session too: bars
-- that are missing are then seen as missing, not as a shorter calendar.
WITH stored AS (
  SELECT DISTINCT trading_date
  FROM market.daily_summary
  WHERE trading_date BETWEEN $first_day AND $last_day
), day AS (
  SELECT CAST(unnest(generate_series(min(trading_date), max(trading_date), INTERVAL 1 DAY)) AS DATE) AS day
  FROM stored
), open_day AS (
  FROM day ANTI JOIN mart.closed_day closed USING (day)
  WHERE isodow(day) <= 5
)
SELECT CAST(open_day.day AS VARCHAR) AS session, stored.trading_date IS NOT NULL AS is_stored
FROM open_day LEFT JOIN stored ON stored.trading_date = open_day.day
UNION
SELECT CAST(trading_date AS VARCHAR), true
FROM stored
ORDER BY session
