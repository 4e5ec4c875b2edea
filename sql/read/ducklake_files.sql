-- grain: one row per file of a DuckLake and period in which its snapshots have it
SELECT ducklake_schema.path || ducklake_table.path || ducklake_data_file.path AS path,
  record_count::DOUBLE AS rows, file_size_bytes::DOUBLE AS bytes,
  ducklake_data_file.begin_snapshot::DOUBLE AS begin, ducklake_data_file.end_snapshot::DOUBLE AS "end"
FROM ducklake_data_file
JOIN ducklake_table USING (table_id)
JOIN ducklake_schema USING (schema_id);
