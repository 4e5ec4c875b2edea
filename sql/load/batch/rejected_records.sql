-- Returns page and position of each record that goes to quarantine, page by page: it is rejected, or loaded
-- without a field. A page rejected as a whole has position 0, and its text already
-- reads: noisy_value, staged_record
SELECT request_id AS id, ordinal FROM staged_record WHERE reason IS NOT NULL
UNION
SELECT request_id, ordinal FROM noisy_value
ORDER BY ALL;
