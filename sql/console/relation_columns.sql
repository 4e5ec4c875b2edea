-- grain: one row per column of a relation
SELECT column_name AS name, data_type AS type, coalesce(comment, '') AS comment
FROM duckdb_columns()
WHERE schema_name || '.' || table_name = $relation
ORDER BY column_index
