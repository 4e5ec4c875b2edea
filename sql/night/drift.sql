-- grain: one row per dataset in whose pages runs since a night received fields that neither the specification
--   nor an earlier answer has; a dataset without an earlier answer has no row
-- Bound: the first run that counts
WITH unknown_field AS (
  SELECT dataset, run_id, unnest(string_split(drift, ', ')) AS field FROM ops.request WHERE drift IS NOT NULL
), first_arrival AS (
  SELECT dataset, field, min(run_id) AS run_id FROM unknown_field GROUP BY dataset, field
), first_run AS (
  SELECT dataset, min(run_id) AS run_id FROM ops.request GROUP BY dataset
)
SELECT dataset, string_agg(field, ', ' ORDER BY field) AS fields
FROM first_arrival
JOIN first_run USING (dataset)
WHERE first_arrival.run_id >= ? AND first_run.run_id < first_arrival.run_id
GROUP BY dataset
ORDER BY dataset;
