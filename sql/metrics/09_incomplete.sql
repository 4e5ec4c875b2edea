-- grain: one row per dataset that was ever requested. Variable metrics_today (DATE, exchange time)
-- metric: candlehouse_incomplete_windows
-- help: Windows that are not whole, that the service still serves and that no later answer replaces.
SELECT coverage.dataset, count(gap.window_from) AS value
FROM (SELECT DISTINCT dataset FROM ops.coverage WHERE state <> 'imported') coverage
LEFT JOIN metrics_gap gap
  ON gap.dataset = coverage.dataset
  AND (gap.expires_on IS NULL OR gap.expires_on > getvariable('metrics_today'))
GROUP BY coverage.dataset ORDER BY coverage.dataset
