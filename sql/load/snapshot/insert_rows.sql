-- Rows of one table → account.*. Returns how many.
-- reads: account_state, received_$table
-- writes: account.$table, ops.dirty_partition
INSERT INTO account.$table BY NAME
SELECT (SELECT any_value(snapshot_id) FROM account_state) AS snapshot_id,
  * EXCLUDE (received_at), received_at AS loaded_at,
  (SELECT any_value(key_name) FROM account_state) AS key_name
FROM received_$table;

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'account.$table', month_of_id(snapshot_id)
FROM account_state WHERE EXISTS (SELECT 1 FROM received_$table);

SELECT count(*) AS rows FROM received_$table;
