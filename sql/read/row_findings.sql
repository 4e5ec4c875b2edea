-- grain: one row per finding that names a row among its offenders
SELECT rule, finding.title, finding.severity, offender.state, subject, trading_date, offender.expected,
  offender.actual, offender.residual, finding.accepted, finding.since, finding.run_id
FROM recon.offender offender
JOIN recon.finding finding USING (rule, subject, trading_date)
WHERE offender.relation = $relation AND $key_condition AND $snapshot_condition
ORDER BY trading_date, rule, subject;
