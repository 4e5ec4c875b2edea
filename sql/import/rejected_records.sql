-- grain: one row per record that a run has rejected: its reason, with the record where that names no line.
--   Bound: the run
SELECT CASE WHEN reason LIKE 'line %' THEN reason ELSE reason || ': ' || left(payload, 120) END AS line
FROM ops.quarantine
WHERE starts_with(request_id, ? || '-')
ORDER BY request_id, ordinal
