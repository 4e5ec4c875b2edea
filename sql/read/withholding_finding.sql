-- grain: one row: the first finding that withholds a row
SELECT rule, title, offender.expected, offender.actual, trading_date AS day
FROM (
  SELECT * FROM (SELECT NULL::VARCHAR AS withheld_key LIMIT 0)
  UNION ALL BY NAME
  SELECT * FROM recon.offender
) offender
JOIN recon.finding finding USING (rule, subject, trading_date)
WHERE relation = $relation AND severity = 'error' AND accepted IS NULL AND finding.state = 'break'
  AND withheld_key IS NOT NULL
  AND $key_condition
ORDER BY rule
LIMIT 1;
