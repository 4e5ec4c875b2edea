-- grain: one row per column of a relation of the catalog, with its comment
SELECT schema_name || '.' || table_name AS relation, column_name AS name, data_type AS type,
  coalesce(comment, '') AS comment
FROM duckdb_columns()
WHERE NOT internal
ORDER BY relation, column_index
