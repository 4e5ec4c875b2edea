-- grain: one row per dataset and reason code of incomplete windows. Variable metrics_today (DATE)
-- metric: candlehouse_incomplete_windows_by_reason
-- help: The same windows by reason code; other: without a code. Absent when nothing is missing.
SELECT dataset, coalesce(reason_code, 'other') AS reason, count(*) AS value
FROM metrics_gap
WHERE expires_on IS NULL OR expires_on > getvariable('metrics_today')
GROUP BY dataset, reason_code ORDER BY dataset, reason
