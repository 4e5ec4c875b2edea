-- grain: one row per severity and state, once a trading date has been checked
-- metric: candlehouse_findings
-- help: Findings of the rules about the latest trading date that was checked.
SELECT severity, state, coalesce(findings, 0) AS value
FROM (SELECT unnest(['error', 'warn']) AS severity)
CROSS JOIN (SELECT unnest(['pass', 'soft', 'break', 'not_evaluable']) AS state)
LEFT JOIN metrics_findings USING (severity, state)
WHERE EXISTS (FROM metrics_findings)
ORDER BY severity, state
