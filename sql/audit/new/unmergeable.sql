-- grain: one row per rule and session to check whose stored finding cannot be changed for some symbols:
--   not all of its offenders are stored, or DuckDB could not compute the rule. Variables most_offenders,
--   not_computed
SELECT rule, CAST(trading_date AS VARCHAR) AS day
FROM recon.finding
WHERE subject = 'market' AND trading_date IN (SELECT trading_date FROM audit_session)
  AND (offenders > getvariable('most_offenders')
    OR starts_with(coalesce(note, ''), getvariable('not_computed')))
ORDER BY ALL;
