-- grain: one row per finding of a rule, the latest first
SELECT trading_date, subject, state, offenders, expected, actual, residual, note, accepted
FROM recon.finding
WHERE rule = CAST($rule AS INTEGER)
ORDER BY trading_date DESC, subject
LIMIT 250
