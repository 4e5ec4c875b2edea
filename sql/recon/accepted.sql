-- Findings that a person has just accepted. Bound: the acceptances as a JSON array
CREATE OR REPLACE TEMP TABLE newly_accepted AS
SELECT unnest(from_json(?, '[{
  "rule": "INTEGER",
  "subject": "VARCHAR",
  "trading_date": "DATE",
  "because": "VARCHAR"
}]'), recursive := true);
UPDATE recon.finding SET accepted = newly_accepted.because FROM newly_accepted
WHERE (finding.rule, finding.subject, finding.trading_date) = (newly_accepted.rule, newly_accepted.subject, newly_accepted.trading_date);
