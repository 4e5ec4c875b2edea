-- Rows of obsolete snapshots go from one table
-- reads: account.$table, obsolete_snapshot
-- writes: account.$table, ops.dirty_partition
INSERT INTO ops.dirty_partition
SELECT DISTINCT 'account.$table', month_of_id(snapshot_id)
FROM account.$table SEMI JOIN obsolete_snapshot USING (snapshot_id, key_name);

DELETE FROM account.$table
WHERE (snapshot_id, key_name) IN (SELECT (snapshot_id, key_name) FROM obsolete_snapshot);
