-- grain: one row per dataset of which a run loaded pages
SELECT dataset, CAST(count(*) AS DOUBLE) AS requests, CAST(sum(row_count) AS DOUBLE) AS rows,
  CAST(sum(bytes) AS DOUBLE) AS bytes
FROM ops.request
WHERE run_id = $run
GROUP BY dataset
ORDER BY min(received_at), dataset;
