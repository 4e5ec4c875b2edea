-- grain: one row per relation, with the names of its columns
SELECT schema_name || '.' || table_name AS relation, list(column_name ORDER BY column_index) AS columns
FROM duckdb_columns()
WHERE NOT internal
GROUP BY ALL
ORDER BY relation
