-- Returns page and position of each rejected record, page by page; a page rejected as a whole has position
-- 0, and its text already
-- reads: staged_record
SELECT request_id AS id, ordinal FROM staged_record WHERE reason IS NOT NULL ORDER BY ALL;
