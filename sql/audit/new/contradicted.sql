-- grain: one row per session to check whose stored findings cannot be kept for the symbols that are not
--   touched: where offenders of the touched symbols, as they were, are not among the stored ones, where
--   there may be more than are stored now, where a finding is missing, or where the step of all bars has
--   changed. Variables checked_rules, most_offenders
WITH finding AS (
  FROM recon.finding
  WHERE subject = 'market' AND trading_date IN (SELECT trading_date FROM audit_session)
    AND list_contains(getvariable('checked_rules'), rule)
), stored AS (
  SELECT offender.* FROM recon.offender SEMI JOIN finding USING (rule, subject, trading_date)
), offenders_stored AS (
  SELECT rule, trading_date, count(*) AS rows FROM stored GROUP BY ALL
), offenders_now AS (
  SELECT rule, trading_date, count(*) AS rows FROM offender GROUP BY ALL
), contradicted AS (
  SELECT trading_date FROM (FROM former_offender EXCEPT ALL FROM stored)
  UNION
  SELECT trading_date
  FROM finding
  LEFT JOIN offenders_stored USING (rule, trading_date)
  LEFT JOIN offenders_now USING (rule, trading_date)
  WHERE finding.offenders <> coalesce(offenders_stored.rows, 0)
    OR finding.offenders + coalesce(offenders_now.rows, 0) >= getvariable('most_offenders')
  UNION
  SELECT trading_date
  FROM audit_session CROSS JOIN (SELECT unnest(getvariable('checked_rules')) AS rule)
    ANTI JOIN finding USING (rule, trading_date)
  UNION
  SELECT trading_date FROM (FROM former_rounding EXCEPT FROM audit_bar_rounding)
)
SELECT CAST(trading_date AS VARCHAR) AS day FROM contradicted GROUP BY day ORDER BY day;
