-- grain: one row per day that is learned closed: without data, and before a session that has some
SELECT CAST(window_from AS VARCHAR) AS day
FROM ops.coverage
WHERE dataset = 'securitiesSummary' AND key = '*' AND state = 'empty'
  AND window_from < (
    SELECT max(window_from) FROM ops.coverage
    WHERE dataset = 'securitiesSummary' AND key = '*' AND state = 'complete'
  );
