-- grain: one row per snapshot: which tables it created, filled, emptied or merged, in the words of DuckLake
-- A table whose new files only merge rows of the replaced ones is merged; the first snapshot creates
-- everything.
INSERT INTO ducklake.ducklake_snapshot_changes
WITH lake_table AS (
  SELECT table_id, table_name, schema_id, schema_name
  FROM ducklake.ducklake_table JOIN ducklake.ducklake_schema USING (schema_id)
), created AS (
  SELECT snapshot_id, 'created_schema:"' || schema_name || '"' AS change, schema_id AS position
  FROM lake_snapshot CROSS JOIN (SELECT DISTINCT schema_id, schema_name FROM lake_table) schemas
  WHERE is_first
  UNION ALL
  SELECT snapshot_id, 'created_table:"' || schema_name || '"."' || table_name || '"', table_id
  FROM lake_snapshot CROSS JOIN lake_table
  WHERE is_first
), file_change AS (
  SELECT begin_snapshot AS snapshot_id, table_id, data_change AS adds, NOT data_change AS merges,
    false AS ends
  FROM lake_data_file WHERE is_new
  UNION ALL
  SELECT end_snapshot, table_id, false, false, true
  FROM lake_data_file WHERE end_snapshot IS NOT NULL
), table_change AS (
  SELECT snapshot_id, table_id, bool_or(adds) AS adds, bool_or(merges) AS merges, bool_or(ends) AS ends
  FROM file_change GROUP BY snapshot_id, table_id
), changed AS (
  FROM created
  UNION ALL
  SELECT snapshot_id, 'inserted_into_table:' || table_id, 1000000 + table_id
  FROM table_change WHERE adds OR merges AND NOT ends
  UNION ALL
  SELECT snapshot_id, 'deleted_from_table:' || table_id, 2000000 + table_id
  FROM table_change WHERE ends AND (adds OR NOT merges)
  UNION ALL
  SELECT snapshot_id, 'merge_adjacent:' || table_id, 3000000 + table_id
  FROM table_change WHERE ends AND merges AND NOT adds
), listed AS (
  SELECT snapshot_id, string_agg(change, ',' ORDER BY position) AS changes_made
  FROM changed GROUP BY snapshot_id
)
SELECT snapshot_id, changes_made, 'candlehouse', run_id, NULL
FROM lake_snapshot LEFT JOIN listed USING (snapshot_id);
