-- Returns page and position of each rejected record, page by page; a page rejected as a whole has its text
-- already
-- reads: staged_record
SELECT request_id AS id, ordinal FROM staged_record WHERE reason IS NOT NULL AND ordinal > 0 ORDER BY ALL;
