-- grain: one row per day of a range that is learned closed: without data, and before a session that has some
-- Bound: first and last day of the range
SELECT CAST(window_from AS VARCHAR) AS day
FROM ops.coverage
WHERE dataset = 'securitiesSummary' AND key = '*' AND state = 'empty'
  AND window_from BETWEEN $1::DATE AND $2::DATE
  AND window_from < (
    SELECT max(window_from) FROM ops.coverage
    WHERE dataset = 'securitiesSummary' AND key = '*' AND window_from > $1::DATE
      AND (state = 'complete' OR reason_code = 'contradicted' AND row_count > 0)
  );
