-- grain: one row per dataset of sessions and day of which a window was requested or imported, from the
--   first nightly on that ended with 0 or 4, or that a replay has found: whether all answers were empty, and
--   how many days after such a day the service stops serving it
-- Of candles those of 1m: longer ones are requested for a few symbols per session only, as cross-checks. Of
-- daily figures those of the whole market: a snapshot asks for closes of what accounts have.
WITH first_night AS (
  SELECT min(trading_date) AS day
  FROM ops.run
  WHERE job = 'nightly' AND (exit_code IN (0, 4) OR state = 'done')
)
SELECT dataset, CAST(window_from AS VARCHAR) AS day,
  bool_and(state = 'empty') AS "isEmpty", CAST(max(expires_on - window_from) AS DOUBLE) AS "servedDays"
FROM ops.coverage
WHERE (dataset IN ('securitiesSummary', 'masterdata') AND key = '*'
    OR dataset = 'indexSummary' OR dataset = 'ohlc' AND timeframe = '1m')
  AND window_from >= (SELECT day FROM first_night)
GROUP BY dataset, window_from
ORDER BY dataset, day;
