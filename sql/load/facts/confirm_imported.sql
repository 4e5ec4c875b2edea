-- Confirmed rows get the page of the service as their source. They keep their loaded_at: the value was known
-- since then.
-- reads: confirmed_row
-- writes: $relation, ops.dirty_partition
UPDATE $relation AS stored SET request_id = match.page
FROM confirmed_row match
WHERE $same_key AND stored.trading_date BETWEEN $first_day AND $last_day;

INSERT INTO ops.dirty_partition
SELECT DISTINCT '$relation', $file_prefix || trading_date FROM confirmed_row;
