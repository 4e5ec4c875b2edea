-- Returns how many records were rejected
-- reads: rejected_record
SELECT count(*) AS rejected FROM rejected_record;
