-- grain: the row of the first snapshot, which creates everything
UPDATE ducklake.ducklake_snapshot_changes
SET changes_made = concat_ws(',', (
    SELECT string_agg('created_schema:"' || schema_name || '"', ',' ORDER BY schema_id)
    FROM ducklake.ducklake_schema SEMI JOIN ducklake.ducklake_table USING (schema_id)
  ), (
    SELECT string_agg('created_table:"' || schema_name || '"."' || table_name || '"', ',' ORDER BY table_id)
    FROM ducklake.ducklake_table JOIN ducklake.ducklake_schema USING (schema_id)
  ), changes_made)
WHERE snapshot_id = (SELECT min(snapshot_id) FROM ducklake.ducklake_snapshot);
