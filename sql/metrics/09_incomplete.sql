-- grain: one row per dataset that was ever requested. Variable metrics_today (DATE, exchange time)
-- metric: candlehouse_incomplete_windows
-- help: Windows that are not whole and that the service still serves.
SELECT dataset, count(*) FILTER (
  WHERE state = 'incomplete' AND (expires_on IS NULL OR expires_on > getvariable('metrics_today'))) AS value
FROM ops.coverage WHERE state <> 'imported' GROUP BY dataset ORDER BY dataset
