-- grain: one row per severity and state of the findings of the latest trading date that was checked
SELECT trading_date, severity, state, count(*) AS findings
FROM recon.finding
WHERE trading_date = (SELECT max(trading_date) FROM recon.finding)
GROUP BY ALL
ORDER BY severity, state
