-- grain: one row per rule and subject: its latest finding
SELECT rule, title, subject, trading_date, severity, state, expected, actual, residual, offenders, note,
  accepted
FROM recon.finding
QUALIFY row_number() OVER (PARTITION BY rule, subject ORDER BY trading_date DESC) = 1
ORDER BY list_position(['break', 'soft', 'not_evaluable', 'pass'], state), rule, subject
