-- grain: one row per finding that is asked for, with the worst of its offenders: the one whose values the
--   finding has (recon/finding.sql)
WITH shown_finding AS (
  $finding
), offender AS (
  -- A catalog that an earlier version published has no column withheld_key: it withheld sessions.
  SELECT * FROM (SELECT NULL::VARCHAR AS withheld_key LIMIT 0)
  UNION ALL BY NAME
  SELECT * FROM recon.offender
), worst_offender AS (
  SELECT rule, subject, trading_date,
    first(
      {'relation': relation, 'key': key}
      ORDER BY state, withheld_key IS NULL, abs(residual) DESC NULLS LAST, relation, key
    ) AS row
  FROM offender SEMI JOIN shown_finding USING (rule, subject, trading_date)
  GROUP BY ALL
)
SELECT rule, title, severity, subject, CAST(trading_date AS VARCHAR) AS "tradingDate", state, offenders,
  judged AS checked, row.relation AS relation, row.key AS key, expected, actual, residual, note, accepted
FROM shown_finding LEFT JOIN worst_offender USING (rule, subject, trading_date)
ORDER BY $order
