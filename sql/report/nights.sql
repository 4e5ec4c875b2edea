-- grain: one row per nightly up to the day, the newest 20
SELECT run_id AS "runId", trading_date AS day, started_at AS "startedAt", finished_at AS "finishedAt",
  coalesce(exit_code, 1) AS "exitCode", CAST(epoch(finished_at) - epoch(started_at) AS DOUBLE) AS seconds,
  CAST(coalesce(windows, 0) AS DOUBLE) AS windows, CAST(coalesce(requests, 0) AS DOUBLE) AS requests,
  CAST(coalesce(rows_received, 0) AS DOUBLE) AS rows, CAST(coalesce(rows_changed, 0) AS DOUBLE) AS changed,
  CAST(coalesce(rows_rejected, 0) AS DOUBLE) AS rejected
FROM ops.run
WHERE job = 'nightly' AND trading_date <= $day AND finished_at IS NOT NULL
ORDER BY run_id DESC
LIMIT 20;
