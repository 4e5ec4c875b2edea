-- grain: one row per relation with files in the lake
-- metric: candlehouse_rows
-- help: Rows published.
SELECT relation, sum(row_count) AS value
FROM ops.lake_file WHERE removed_at IS NULL GROUP BY relation ORDER BY relation
