-- Temp tables verdict and offender → recon.finding and recon.offender: they take the place of what was found of the same
-- subjects before. Subjects that are gone go too: an account that is read no longer, the * of a day without accounts.
CREATE OR REPLACE TEMP TABLE former AS
SELECT rule, subject, trading_date, state, since FROM recon.finding
WHERE (trading_date, subject = 'market') IN (SELECT (trading_date, subject = 'market') FROM verdict);
DELETE FROM recon.finding
WHERE (trading_date, subject = 'market') IN (SELECT (trading_date, subject = 'market') FROM verdict);
DELETE FROM recon.offender
WHERE (trading_date, subject = 'market') IN (SELECT (trading_date, subject = 'market') FROM verdict);

-- A rule that is not yet trusted for an account breaks softly, and so do its offenders.
UPDATE offender SET state = 'soft' FROM verdict
WHERE verdict.state = 'soft' AND offender.state = 'break'
  AND (offender.rule, offender.subject, offender.trading_date) = (verdict.rule, verdict.subject, verdict.trading_date);
INSERT INTO recon.offender SELECT * FROM offender;

INSERT INTO recon.finding BY NAME
WITH worst AS (
  SELECT rule, subject, trading_date,
    first(expected ORDER BY state, abs(residual) DESC NULLS LAST, relation, key) AS expected,
    first(actual ORDER BY state, abs(residual) DESC NULLS LAST, relation, key) AS actual,
    first(residual ORDER BY state, abs(residual) DESC NULLS LAST, relation, key) AS residual,
    offenders_seen(state, relation, key, expected, actual) AS seen
  FROM offender GROUP BY ALL
), accepted AS (
  SELECT rule, subject, trading_date, offenders AS seen, arg_max(because, accepted_at) AS because
  FROM recon.acceptance GROUP BY ALL
)
SELECT
  verdict.*, getvariable('judged_by') AS run_id, getvariable('judged_at') AS judged_at,
  worst.expected, worst.actual, worst.residual, accepted.because AS accepted,
  CASE WHEN former.state = verdict.state THEN former.since ELSE getvariable('judged_at') END AS since
FROM verdict
LEFT JOIN worst USING (rule, subject, trading_date)
LEFT JOIN accepted USING (rule, subject, trading_date, seen)
LEFT JOIN former USING (rule, subject, trading_date);
