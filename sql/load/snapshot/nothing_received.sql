-- grain: one row per key of the table: none, where the snapshot brought no record of it
-- reads: account.$table
-- writes: received_$table
CREATE OR REPLACE TEMP TABLE received_$table AS
SELECT * EXCLUDE (snapshot_id, key_name, loaded_at), loaded_at AS received_at FROM account.$table LIMIT 0;
