-- grain: one row per table: all its snapshots have one schema, since a change of columns begins the history
-- anew
INSERT INTO ducklake.ducklake_schema_versions
SELECT snapshot_id, 1, table_id
FROM lake_table CROSS JOIN lake_snapshot
WHERE is_first;
