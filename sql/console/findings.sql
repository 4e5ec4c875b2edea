-- grain: one row per rule, subject and trading date: the latest, open breaks, what is worth a look
WITH last_20 AS (
  SELECT DISTINCT trading_date
  FROM recon.finding
  ORDER BY trading_date DESC
  LIMIT 20
)
SELECT rule, title, subject, trading_date, severity, state, expected, actual, residual, offenders, note,
  accepted
FROM recon.finding
QUALIFY row_number() OVER (PARTITION BY rule, subject ORDER BY trading_date DESC) = 1
  OR state = 'break' AND accepted IS NULL
  OR state IN ('break', 'soft') AND trading_date >= (SELECT min(trading_date) FROM last_20)
ORDER BY list_position(['break', 'soft', 'not_evaluable', 'pass'], state), trading_date DESC, rule, subject
