-- grain: one row per endpoint: the largest page size that it served in its latest run
WITH sized_page AS (
  SELECT endpoint, run_id, CAST(json_extract_string(query, '$.pageSize') AS INTEGER) AS size
  FROM ops.request
  WHERE status = 200 AND json_extract_string(query, '$.pageSize') IS NOT NULL
), latest_run AS (
  SELECT endpoint, max(run_id) AS run_id FROM sized_page GROUP BY endpoint
)
SELECT endpoint, max(size) AS size
FROM sized_page SEMI JOIN latest_run USING (endpoint, run_id)
GROUP BY endpoint;
