-- grain: one row per finding of a rule with an open break, and the hash of its offenders (offenders_seen).
--   Bound: the rule
SELECT subject, CAST(trading_date AS VARCHAR) AS trading_date,
  offenders_seen(offender.state, relation, key, offender.expected, offender.actual) AS offenders
FROM recon.finding finding
JOIN recon.offender offender USING (rule, subject, trading_date)
WHERE finding.rule = ? AND finding.state = 'break' AND accepted IS NULL AND offender.state = 'break'
GROUP BY subject, trading_date
ORDER BY ALL
