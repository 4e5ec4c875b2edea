-- grain: one row per snapshot: which tables it filled, emptied or merged, in the words of DuckLake
-- A table whose new files only merge rows of the replaced ones is merged.
INSERT INTO ducklake.ducklake_snapshot_changes
WITH file_change AS (
  SELECT table_id, data_change, is_new, unnest([begin_snapshot, end_snapshot]) AS snapshot_id,
    unnest([true, false]) AS begins
  FROM lake_data_file
), table_change AS (
  SELECT snapshot_id, table_id, bool_or(begins AND data_change) AS adds,
    bool_or(begins AND NOT data_change) AS merges, bool_or(NOT begins) AS ends
  FROM file_change
  WHERE snapshot_id IS NOT NULL AND (is_new OR NOT begins)
  GROUP BY snapshot_id, table_id
), listed AS (
  SELECT snapshot_id, concat_ws(',',
    string_agg('inserted_into_table:' || table_id, ',' ORDER BY table_id)
      FILTER (adds OR merges AND NOT ends),
    string_agg('deleted_from_table:' || table_id, ',' ORDER BY table_id)
      FILTER (ends AND (adds OR NOT merges)),
    string_agg('merge_adjacent:' || table_id, ',' ORDER BY table_id)
      FILTER (ends AND merges AND NOT adds)) AS changes_made
  FROM table_change GROUP BY snapshot_id
)
SELECT snapshot_id, changes_made, 'candlehouse', run_id, NULL
FROM lake_snapshot LEFT JOIN listed USING (snapshot_id);
