-- grain: one row per window of the sessions that are planned, and per list of symbols of the trading date,
--   which the service answered: rows of a user's file are not an answer
-- Bound: first day, last day, trading date
SELECT dataset, key, timeframe, CAST(window_from AS VARCHAR) AS day, state, reason_code
FROM ops.coverage
WHERE state <> 'imported'
  AND (window_from BETWEEN $1::DATE AND $2::DATE OR (dataset = 'securities' AND window_from = $3::DATE));
