-- grain: one row per table, which is a relation; its folder is below that of its schema
INSERT INTO ducklake.ducklake_table
SELECT table_id, table_uuid, snapshot_id, NULL, schema_id, table_name, table_name || '/', true
FROM lake_table CROSS JOIN lake_snapshot
WHERE is_first;
