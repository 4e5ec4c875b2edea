-- grain: one row per table with a comment
INSERT INTO ducklake.ducklake_tag
SELECT table_id, snapshot_id, NULL, 'comment', comment
FROM lake_table CROSS JOIN lake_snapshot
WHERE is_first AND comment <> '';
