-- grain: one row per dataset, key and timeframe: since when the service has rows of it, and the newest day
--   that was asked for. An answer without rows on an earlier day contradicts nothing: the data begin later.
-- reads: ops.coverage
-- writes: served_from
CREATE OR REPLACE TEMP TABLE served_from AS
WITH answered AS (
  SELECT dataset, CASE WHEN dataset = 'indexSummary' THEN key ELSE '*' END AS key, timeframe, window_from,
    row_count
  FROM ops.coverage
  WHERE state IN ('complete', 'empty', 'incomplete') AND request_id IS NOT NULL
)
SELECT dataset, key, timeframe, min(window_from) FILTER (row_count > 0) AS first_day,
  max(window_from) AS newest_day
FROM answered
GROUP BY ALL;
