-- The offenders of symbols that are not touched → temp table offender, beside those of the touched ones.
-- Variable checked_rules
INSERT INTO offender
SELECT stored.*
FROM recon.offender stored
  ANTI JOIN former_offender USING (rule, subject, trading_date, relation, key)
WHERE stored.subject = 'market' AND stored.trading_date IN (SELECT trading_date FROM audit_session)
  AND list_contains(getvariable('checked_rules'), stored.rule);
