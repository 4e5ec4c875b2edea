-- Returns what the batch held
-- reads: staged_record
SELECT count(*) FILTER (ordinal > 0) AS rows, count(reason) AS rejected,
  count(*) FILTER (ordinal = 0) AS unreadable FROM staged_record;
