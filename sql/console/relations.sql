-- grain: one row per relation of the catalog
SELECT schema_name || '.' || view_name AS relation, comment
FROM duckdb_views()
WHERE NOT internal
UNION ALL
SELECT schema_name || '.' || table_name, comment
FROM duckdb_tables()
WHERE NOT internal
ORDER BY relation
