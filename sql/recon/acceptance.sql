-- grain: one row per override. Bound: the lines of raw/accepted.ndjson as a JSON array
INSERT INTO recon.acceptance BY NAME
SELECT unnest(from_json(?, '[{
  "rule": "INTEGER",
  "subject": "VARCHAR",
  "trading_date": "DATE",
  "because": "VARCHAR",
  "offenders": "VARCHAR",
  "accepted_at": "TIMESTAMPTZ"
}]'), recursive := true);
