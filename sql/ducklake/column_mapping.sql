-- grain: one row per table: its files have no field ids, so their columns are found by name
INSERT INTO ducklake.ducklake_column_mapping
SELECT table_id, table_id, 'map_by_name'
FROM lake_table;
