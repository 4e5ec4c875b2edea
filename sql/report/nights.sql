-- grain: one row per nightly up to the day, the newest 20
SELECT run_id, job, trading_date, started_at, finished_at, state, exit_code,
  CAST(epoch(finished_at) - epoch(started_at) AS DOUBLE) AS seconds,
  CAST(requests AS DOUBLE) AS requests, CAST(rows_received AS DOUBLE) AS rows_received,
  CAST(rows_changed AS DOUBLE) AS rows_changed, CAST(rows_rejected AS DOUBLE) AS rows_rejected,
  CAST(windows AS DOUBLE) AS windows
FROM ops.run
WHERE job = 'nightly' AND trading_date <= $day AND finished_at IS NOT NULL
ORDER BY run_id DESC
LIMIT 20;
