-- grain: one row per finding that a person overrides now. Bound: the overrides as a JSON array
CREATE OR REPLACE TEMP TABLE new_override AS
SELECT unnest(from_json(?, '[{
  "rule": "INTEGER",
  "subject": "VARCHAR",
  "trading_date": "DATE",
  "because": "VARCHAR"
}]'), recursive := true);
