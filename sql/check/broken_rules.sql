-- grain: one row per finding that breaks its rule, with the worst of its offenders
WITH broken AS (
  SELECT * FROM recon.finding WHERE state = 'break' AND $condition
), worst_offender AS (
  SELECT rule, subject, trading_date,
    first(
      {'relation': relation, 'key': key}
      ORDER BY state, withheld_key IS NULL, abs(residual) DESC NULLS LAST, relation, key
    ) AS row
  FROM recon.offender SEMI JOIN broken USING (rule, subject, trading_date)
  GROUP BY ALL
)
SELECT rule, title, severity, subject, CAST(trading_date AS VARCHAR) AS "tradingDate", offenders,
  row.relation AS relation, row.key AS key, expected, actual, residual, accepted
FROM broken LEFT JOIN worst_offender USING (rule, subject, trading_date)
ORDER BY severity, rule, trading_date, subject;
