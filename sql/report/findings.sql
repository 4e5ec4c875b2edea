-- grain: one row per rule, subject and trading date: all findings of the day, and open breaks of earlier days
WITH worst_offender AS (
  SELECT rule, subject, trading_date, relation, key
  FROM recon.offender
  WHERE trading_date <= $day
  QUALIFY row_number() OVER (PARTITION BY rule, subject, trading_date
    ORDER BY abs(residual) DESC NULLS LAST, relation, key) = 1
)
SELECT finding.rule, finding.title, finding.subject, finding.trading_date, finding.severity, finding.state,
  finding.expected, finding.actual, CAST(finding.residual AS DOUBLE) AS residual,
  CAST(finding.offenders AS DOUBLE) AS offenders, CAST(finding.judged AS DOUBLE) AS checked, finding.note,
  finding.accepted, worst_offender.relation, worst_offender.key
FROM recon.finding finding
LEFT JOIN worst_offender USING (rule, subject, trading_date)
WHERE finding.trading_date = $day
  OR finding.state = 'break' AND finding.accepted IS NULL AND finding.trading_date < $day
ORDER BY list_position(['break', 'soft', 'not_evaluable', 'pass'], finding.state),
  finding.severity, finding.trading_date DESC, finding.rule, finding.subject;
