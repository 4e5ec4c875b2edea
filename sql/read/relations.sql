-- grain: one row per relation of the catalog, in order
WITH relation AS (
  SELECT schema_name, view_name AS name, comment, internal, database_name FROM duckdb_views()
  UNION ALL
  SELECT schema_name, table_name, comment, internal, database_name FROM duckdb_tables()
)
SELECT schema_name || '.' || name AS relation, comment
FROM relation
WHERE NOT internal AND database_name = current_database() AND schema_name <> 'main'
ORDER BY relation
