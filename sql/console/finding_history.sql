-- grain: one row per finding of a rule, the latest first
-- 250 of them, from number $first on; total counts all.
SELECT trading_date, subject, state, offenders, expected, actual, residual, note, accepted,
  count(*) OVER () AS total
FROM recon.finding
WHERE rule = CAST($rule AS INTEGER)
ORDER BY trading_date DESC, subject
LIMIT 250 OFFSET CAST($first AS INTEGER)
