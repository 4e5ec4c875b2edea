-- grain: one row per table with files
INSERT INTO ducklake.ducklake_table_stats
SELECT table_id, coalesce(sum(row_count) FILTER (WHERE end_snapshot IS NULL), 0),
  sum(row_count), coalesce(sum(bytes) FILTER (WHERE end_snapshot IS NULL), 0)
FROM lake_data_file
GROUP BY table_id;
