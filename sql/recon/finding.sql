-- Temp tables rule_result and offender → recon.finding and recon.offender: they replace the findings of the
-- same rules, sessions and snapshots. Findings of subjects that no longer exist are deleted too: of an
-- account that the service no longer returns, and of subject * (no account) once an account is read.
-- Variable checked_rules has the rules that were run, variable known_rules all rules.
DELETE FROM recon.finding
WHERE (trading_date, subject = 'market') IN (SELECT (trading_date, subject = 'market') FROM rule_result)
  AND (list_contains(getvariable('checked_rules'), rule)
    OR NOT list_contains(getvariable('known_rules'), rule));
DELETE FROM recon.offender
WHERE (trading_date, subject = 'market') IN (SELECT (trading_date, subject = 'market') FROM rule_result)
  AND (list_contains(getvariable('checked_rules'), rule)
    OR NOT list_contains(getvariable('known_rules'), rule));

-- Offenders of a rule marked `learning` are soft, as its result is.
UPDATE offender SET state = 'soft' FROM rule_result
WHERE rule_result.state = 'soft' AND offender.state = 'break'
  AND (offender.rule, offender.subject, offender.trading_date)
    = (rule_result.rule, rule_result.subject, rule_result.trading_date);
INSERT INTO recon.offender SELECT * FROM offender;

INSERT INTO recon.finding BY NAME
WITH ranked_offender AS (
  -- rows that are withheld come first, then the largest residuals
  SELECT *, (withheld_key IS NULL, coalesce(-abs(residual), 1)) AS rank FROM offender
), worst_offender AS (
  SELECT rule, subject, trading_date,
    first(expected ORDER BY state, rank, relation, key) AS expected,
    first(actual ORDER BY state, rank, relation, key) AS actual,
    first(residual ORDER BY state, rank, relation, key) AS residual,
    offenders_seen(state, relation, key, expected, actual) AS seen
  FROM ranked_offender GROUP BY ALL
), override AS (
  SELECT rule, subject, trading_date, offenders AS seen, arg_max(because, accepted_at) AS because
  FROM recon.acceptance GROUP BY ALL
)
SELECT
  rule_result.*, getvariable('checked_at') AS judged_at,
  worst_offender.expected, worst_offender.actual, worst_offender.residual,
  override.because AS accepted,
  evidence_arrival.arrived_at AS since
FROM rule_result
LEFT JOIN worst_offender USING (rule, subject, trading_date)
LEFT JOIN override USING (rule, subject, trading_date, seen)
LEFT JOIN evidence_arrival USING (subject, trading_date);
