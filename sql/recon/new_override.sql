-- grain: one row per finding that a person has just accepted. Bound: the acceptances as a JSON array
CREATE OR REPLACE TEMP TABLE new_override AS
SELECT unnest(from_json(?, '[{
  "rule": "INTEGER",
  "subject": "VARCHAR",
  "trading_date": "DATE",
  "because": "VARCHAR"
}]'), recursive := true);
