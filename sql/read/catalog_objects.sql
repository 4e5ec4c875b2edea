-- grain: one row per view or macro of a catalog, with the text that makes it
SELECT schema_name || '.' || view_name AS name, 'VIEW' AS kind, sql AS text
FROM duckdb_views()
WHERE NOT internal AND database_name = current_database()
UNION ALL
SELECT schema_name || '.' || function_name,
  CASE function_type WHEN 'table_macro' THEN 'MACRO TABLE' ELSE 'MACRO' END, any_value(macro_definition)
FROM duckdb_functions()
WHERE NOT internal AND database_name = current_database()
GROUP BY ALL
