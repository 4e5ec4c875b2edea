-- Returns the numbers of records of the batch; a page that is not JSON counts as one unreadable record
-- reads: read_record
SELECT count(*) FILTER (ordinal > 0) AS rows, count(reason) AS rejected,
  count(*) FILTER (ordinal = 0) AS unreadable FROM read_record;
