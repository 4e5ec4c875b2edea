-- Returns the rejected records of each page
-- reads: rejected_record
SELECT request_id, count(*) AS rows FROM rejected_record GROUP BY ALL;
