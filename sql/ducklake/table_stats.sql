-- grain: one row per table with files
DELETE FROM ducklake.ducklake_table_stats;
INSERT INTO ducklake.ducklake_table_stats
SELECT table_id, coalesce(sum(record_count) FILTER (WHERE end_snapshot IS NULL), 0),
  sum(record_count), coalesce(sum(file_size_bytes) FILTER (WHERE end_snapshot IS NULL), 0)
FROM ducklake.ducklake_data_file
GROUP BY table_id;
