-- Returns page and position of each rejected record, page by page
-- reads: staged_record
SELECT request_id AS id, ordinal FROM staged_record WHERE reason IS NOT NULL ORDER BY ALL;
