-- grain: one row per dataset and field that differs from the specification in the dataset's latest answers:
-- `unknown` fields came, `absent` ones did not. Market data only. Pages of a user's file are no answers.
WITH latest_run AS (
  SELECT dataset, max(run_id) AS run_id FROM ops.request
  WHERE endpoint <> 'import' AND dataset IN (
    'securities', 'indexes', 'indexMembers', 'securitiesSummary', 'indexSummary', 'masterdata', 'ohlc')
  GROUP BY dataset
), latest_page AS (
  SELECT dataset, run_id, drift, absent
  FROM ops.request SEMI JOIN latest_run USING (dataset, run_id)
  WHERE endpoint <> 'import' AND (drift IS NOT NULL OR absent IS NOT NULL)
)
SELECT DISTINCT dataset, run_id, 'unknown' AS kind, unnest(string_split(drift, ', ')) AS field
FROM latest_page
UNION ALL
SELECT DISTINCT dataset, run_id, 'absent', unnest(string_split(absent, ', ')) FROM latest_page
ORDER BY dataset, kind, field
