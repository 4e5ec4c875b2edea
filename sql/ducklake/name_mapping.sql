-- grain: one row per column of a table: its name in the files, and its id
INSERT INTO ducklake.ducklake_name_mapping
SELECT table_id, column_id - 1, column_name, column_id, NULL, false
FROM lake_column;
