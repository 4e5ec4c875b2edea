-- grain: one row per incomplete window up to the day that no later answer replaces, the 12 that expire first
SELECT dataset, key, timeframe, window_from AS trading_date, coalesce(reason, state) AS reason, expires_on,
  CAST(expires_on - $today AS DOUBLE) AS expires_in_days, CAST(count(*) OVER () AS DOUBLE) AS gaps
FROM ($gap)
WHERE window_from <= $day
ORDER BY expires_on NULLS LAST, trading_date DESC, dataset, key
LIMIT 12;
