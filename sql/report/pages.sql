-- grain: one row per dataset of which a run loaded pages
SELECT dataset, CAST(count(*) AS DOUBLE) AS requests, CAST(sum(row_count) AS DOUBLE) AS rows_received,
  CAST(sum(bytes) AS DOUBLE) AS bytes, CAST(sum(greatest(attempts - 1, 0)) AS DOUBLE) AS repeats
FROM ops.request
WHERE run_id = $run
GROUP BY dataset
ORDER BY min(received_at), dataset;
