-- grain: one row per job that ever ended with an exit code
-- metric: candlehouse_last_run_exit_code
-- help: Exit code of the job's last run: 0 complete, 4 gaps or broken rules, 5 the service, 6 the disk.
SELECT job, arg_max(exit_code, at_ms) AS value
FROM metrics_run WHERE exit_code IS NOT NULL GROUP BY job ORDER BY job
