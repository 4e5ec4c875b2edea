-- grain: one row per dataset with records that runs since a night rejected and that no later answer or file
--   replaces: how many, and the most frequent reason
-- Bound: the first run that counts
WITH rejected_record AS (
  SELECT quarantine.dataset, quarantine.reason, request.walk, request.run_id
  FROM ops.quarantine quarantine
  JOIN ops.request request USING (request_id)
  WHERE request.run_id >= $1
), current_walk AS (
  -- of a file, sessions that a corrected one had nothing new for keep the walk of the first: those without a
  -- rejected record do not say that it still counts
  SELECT DISTINCT request.walk
  FROM ops.coverage coverage
  JOIN ops.request request USING (request_id)
  WHERE request.run_id >= $1 AND (coverage.state <> 'imported' OR coverage.reason IS NOT NULL)
), last_run AS (
  SELECT dataset, max(run_id) AS run_id FROM ops.request WHERE run_id >= $1 GROUP BY dataset
)
SELECT dataset, mode(reason) AS reason, count(*) AS records
FROM rejected_record rejected
LEFT JOIN last_run USING (dataset)
WHERE walk IN (FROM current_walk) OR rejected.run_id = last_run.run_id
GROUP BY dataset
ORDER BY dataset;
