-- grain: one row per rule and subject: its latest finding
SELECT rule, title, subject, trading_date, severity, state, expected, actual, residual, offenders, note, accepted
FROM recon.finding
QUALIFY row_number() OVER (PARTITION BY rule, subject ORDER BY trading_date DESC) = 1
ORDER BY CASE state WHEN 'break' THEN 0 WHEN 'soft' THEN 1 WHEN 'not_evaluable' THEN 2 ELSE 3 END, rule, subject
