-- grain: one row per snapshot, which is a publication
INSERT INTO ducklake.ducklake_snapshot
SELECT snapshot_id, published_at, 1,
  (SELECT max(table_id) + 1 FROM lake_table),
  (SELECT max(data_file_id) + 1 FROM lake_data_file)
FROM lake_snapshot;
