-- grain: one row per job that ever ended with exit 0
-- metric: candlehouse_last_success_timestamp_seconds
-- help: When a run of the job last ended with exit 0.
-- unit: seconds
SELECT job, max(epoch_ms(finished_at)) / 1000 AS value
FROM ops.run WHERE exit_code = 0 GROUP BY job ORDER BY job
