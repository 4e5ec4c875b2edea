-- grain: one row per period in which a file was live: the snapshots from its begin to before its end have
-- its rows
UPDATE ducklake.ducklake_data_file
SET end_snapshot = ended.end_snapshot
FROM lake_data_file ended
WHERE NOT ended.is_new AND ended.data_file_id = ducklake_data_file.data_file_id;
INSERT INTO ducklake.ducklake_data_file BY NAME
SELECT data_file_id, table_id, begin_snapshot, end_snapshot, path, true AS path_is_relative,
  'parquet' AS file_format, row_count AS record_count, bytes AS file_size_bytes, row_id_start,
  table_id AS mapping_id
FROM lake_data_file
WHERE is_new;
