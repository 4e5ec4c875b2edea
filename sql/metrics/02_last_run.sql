-- grain: one row per job that ever ended
-- metric: candlehouse_last_run_timestamp_seconds
-- help: When a run of the job last ended, however it did.
-- unit: seconds
SELECT job, max(at_ms) / 1000 AS value FROM metrics_run GROUP BY job ORDER BY job
