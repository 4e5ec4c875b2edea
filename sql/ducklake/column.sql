-- grain: one row per column of a table
INSERT INTO ducklake.ducklake_column
SELECT column_id, snapshot_id, NULL, table_id, column_id, column_name, ducklake_type,
  NULL, 'NULL', true, NULL, 'literal', 'duckdb'
FROM lake_column CROSS JOIN lake_snapshot
WHERE is_first;
