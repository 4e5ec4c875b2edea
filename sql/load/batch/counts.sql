-- Returns what the batch held
-- reads: staged_record
SELECT count(*) AS rows, count(reason) AS rejected FROM staged_record;
