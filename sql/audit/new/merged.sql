-- grain: one row per rule, session, result and relation of all offenders, and one per rule and session
--   with the number of rows that its stored finding had checked (result checked). warn: a break that
--   withholds nothing, of a rule of severity error
SELECT rule, CAST(trading_date AS VARCHAR) AS day, relation, count(*) AS rows,
  CASE WHEN state = 'break' AND withheld_key IS NULL AND list_contains(getvariable('error_rules'), rule)
    THEN 'warn' ELSE state END AS result
FROM offender
GROUP BY ALL
UNION ALL
SELECT rule, CAST(trading_date AS VARCHAR), NULL, judged, 'checked'
FROM recon.finding
WHERE subject = 'market' AND trading_date IN (SELECT trading_date FROM audit_session)
  AND list_contains(getvariable('checked_rules'), rule)
ORDER BY ALL;
