-- grain: one row where an incomplete window expires. Variable metrics_today (DATE, exchange time)
-- metric: candlehouse_days_to_expiry
-- help: Days until the service stops serving the first incomplete window; absent when none expires.
SELECT min(expires_on) - getvariable('metrics_today') AS value FROM metrics_gap
WHERE expires_on > getvariable('metrics_today') HAVING value IS NOT NULL
