-- grain: one row per incomplete window up to a trading date; of a list, only where no later one was answered
-- Bound: the trading date, the datasets and those of them that are lists, as JSON arrays
SELECT dataset, key, timeframe, CAST(window_from AS VARCHAR) AS day, coalesce(reason, state) AS reason,
  reason_code AS "reasonCode"
FROM ops.coverage gap
WHERE state = 'incomplete' AND window_from <= ?::DATE
  AND list_contains(from_json(?, '["VARCHAR"]'), dataset)
  AND NOT (
    list_contains(from_json(?, '["VARCHAR"]'), dataset)
    AND EXISTS (
      SELECT 1 FROM ops.coverage later
      WHERE later.dataset = gap.dataset AND later.key = gap.key AND later.window_from > gap.window_from
    )
  )
ORDER BY dataset, window_from, key, timeframe;
