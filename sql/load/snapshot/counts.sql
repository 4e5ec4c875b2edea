-- Returns how many records were rejected
-- reads: rejected_record
SELECT count(*) AS rejected, count(*) FILTER (ordinal = 0) AS unreadable FROM rejected_record;
