-- Inserts all rows of the batch: no row of its keys and sessions is stored, so there is nothing to compare.
-- Returns how many.
-- reads: received_row, session_answer
-- writes: $relation, ops.dirty_partition
INSERT INTO $relation ($columns, request_id, loaded_at)
SELECT $columns, request_id, received_at FROM received_row;

INSERT INTO ops.dirty_partition
SELECT DISTINCT '$relation', $file_prefix || day FROM session_answer WHERE row_count > 0;

SELECT sum(row_count)::BIGINT AS rows FROM session_answer;
