-- grain: one row per severity and state, once a trading date has been checked
-- metric: candlehouse_findings
-- help: Findings of the rules about the latest trading date that was checked.
SELECT severity, state, count(rule) AS value
FROM (SELECT unnest(['error', 'warn']) AS severity)
CROSS JOIN (SELECT unnest(['pass', 'soft', 'break', 'not_evaluable']) AS state)
LEFT JOIN (
  SELECT rule, severity, state
  FROM recon.finding WHERE trading_date = (SELECT max(trading_date) FROM recon.finding)
) USING (severity, state)
WHERE EXISTS (FROM recon.finding)
GROUP BY severity, state ORDER BY severity, state
