-- grain: one row per dataset, timeframe and key with a window that failed: its sessions, and in how many runs
--   in a row each failed
SELECT dataset || ' ' || timeframe || ' ' || key AS name,
  list({'day': CAST(window_from AS VARCHAR), 'runs': failed_runs} ORDER BY window_from) AS days
FROM ops.coverage
WHERE failed_runs > 0
GROUP BY ALL
ORDER BY name;
