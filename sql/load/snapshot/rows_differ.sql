-- Returns whether one table's rows differ from those of a stored snapshot of the API key. Both have each row
-- key once, so one direction is enough where they are as many. BY NAME, since columns come in another order.
-- reads: account.$table, account_state, received_$table
WITH before AS (
  SELECT * EXCLUDE (snapshot_id, key_name, request_id, loaded_at)
  FROM account.$table SEMI JOIN account_state USING (key_name) WHERE snapshot_id = $snapshot
), received AS (
  SELECT * FROM (SELECT * FROM before LIMIT 0)
  UNION ALL BY NAME
  SELECT * EXCLUDE (request_id, received_at) FROM received_$table
)
SELECT (SELECT count(*) FROM before) <> (SELECT count(*) FROM received)
  OR EXISTS (SELECT * FROM before EXCEPT SELECT * FROM received) AS differs;
