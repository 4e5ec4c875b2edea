-- grain: one row per incomplete window of the goal's sessions that the service still serves and that no later
--   answer replaces, with its reason
-- Bound: first and last session of the goal, and the oldest day of which intraday candles are served
SELECT dataset, key, timeframe,
  concat_ws(' ', nullif(key, '*'), nullif(timeframe, ''), window_from || ': ' || coalesce(reason, state))
    AS line
FROM ($open_gap)
WHERE window_from BETWEEN ?::DATE AND ?::DATE
  AND (timeframe IN ('', '1d') OR window_from >= ?::DATE)
ORDER BY dataset, window_from, key, timeframe;
