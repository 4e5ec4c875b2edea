-- grain: one row per column with a comment
INSERT INTO ducklake.ducklake_column_tag
SELECT table_id, column_id, snapshot_id, NULL, 'comment', comment
FROM lake_column CROSS JOIN lake_snapshot
WHERE is_first AND comment <> '';
