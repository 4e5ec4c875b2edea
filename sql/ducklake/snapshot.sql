-- grain: one row per snapshot, which is a publication
INSERT INTO ducklake.ducklake_snapshot
SELECT snapshot_id, published_at, 1, (SELECT max(table_id) + 1 FROM ducklake.ducklake_table),
  max(data_file_id) + 1
FROM lake_snapshot LEFT JOIN ducklake.ducklake_data_file ON begin_snapshot <= snapshot_id
GROUP BY ALL;
