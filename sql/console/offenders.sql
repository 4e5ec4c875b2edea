-- grain: one row per row for which a rule does not hold, the latest and largest first
SELECT trading_date, subject, relation, key, state, expected, actual, residual
FROM recon.offender
WHERE rule = CAST($rule AS INTEGER)
ORDER BY trading_date DESC, abs(residual) DESC NULLS LAST, key
LIMIT 250
