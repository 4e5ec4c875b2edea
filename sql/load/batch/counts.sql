-- Returns what the batch held
-- reads: read_record
SELECT count(*) FILTER (ordinal > 0) AS rows, count(reason) AS rejected,
  count(*) FILTER (ordinal = 0) AS unreadable FROM read_record;
