-- grain: one row per incomplete window of market data up to a trading date that no later answer replaces
-- Bound: the trading date
SELECT dataset, key, timeframe, CAST(window_from AS VARCHAR) AS day, coalesce(reason, state) AS reason,
  reason_code AS "reasonCode"
FROM ($open_gap)
WHERE window_from <= ?::DATE AND dataset <> 'snapshot'
ORDER BY dataset, window_from, key, timeframe;
