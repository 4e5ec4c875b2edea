-- Deletes changed and withdrawn rows, inserts changed and new rows. Returns how many rows changed.
-- reads: changed_row, inserted_row, received_row, withdrawn_row
-- writes: $relation, ops.dirty_partition
DELETE FROM $relation AS stored USING changed_row match
WHERE $same_key AND stored.trading_date BETWEEN $first_day AND $last_day;

DELETE FROM $relation AS stored USING withdrawn_row match
WHERE $same_key AND stored.trading_date BETWEEN $first_day AND $last_day;

INSERT INTO $relation ($columns, request_id, loaded_at)
SELECT $columns, request_id, received_at FROM inserted_row
UNION ALL
SELECT $columns, request_id, received_at FROM received_row SEMI JOIN changed_row USING ($key);

INSERT INTO ops.dirty_partition
WITH dirty_session AS (
  SELECT $file_prefix AS prefix, trading_date FROM inserted_row
  UNION ALL SELECT $file_prefix, new_date FROM changed_row
  UNION ALL SELECT $file_prefix, old_date FROM changed_row
  UNION ALL SELECT $file_prefix, trading_date FROM withdrawn_row
)
SELECT DISTINCT '$relation', prefix || trading_date FROM dirty_session;

SELECT (SELECT count(*) FROM inserted_row) + (SELECT count(*) FROM changed_row)
  + (SELECT count(*) FROM withdrawn_row) AS rows;
