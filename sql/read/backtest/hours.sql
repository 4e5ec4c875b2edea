-- grain: one row per half of the day in which shares are matched on $last_day, exchange time
-- From the first phase to the last of any board: an engine has one set of hours for all.
WITH phase AS (
  SELECT starts, ends, starts < TIME '12:00' AS is_morning
  FROM mart.trading_phase
  WHERE board <> 'DERIVATIVE' AND $last_day BETWEEN valid_from AND valid_to
)
SELECT CAST(min(starts) AS VARCHAR) AS starts, CAST(max(ends) AS VARCHAR) AS ends
FROM phase
GROUP BY is_morning
ORDER BY starts
