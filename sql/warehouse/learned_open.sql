-- grain: one row per day of a range that has daily summaries, ascending: a session, also where the calendar
--   has it as closed
-- Bound: first and last day of the range
SELECT DISTINCT CAST(window_from AS VARCHAR) AS day
FROM ops.coverage
WHERE dataset = 'securitiesSummary' AND window_from BETWEEN ?::DATE AND ?::DATE
  AND (state = 'complete' OR reason_code = 'contradicted' AND row_count > 0)
ORDER BY day;
