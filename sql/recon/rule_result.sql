-- grain: one row per rule, subject and trading date checked. Bound: the results as a JSON array
CREATE OR REPLACE TEMP TABLE rule_result AS
SELECT unnest(from_json(?, '[{
  "rule": "INTEGER",
  "title": "VARCHAR",
  "severity": "VARCHAR",
  "subject": "VARCHAR",
  "trading_date": "DATE",
  "state": "VARCHAR",
  "judged": "BIGINT",
  "offenders": "BIGINT",
  "relations": "VARCHAR",
  "note": "VARCHAR",
  "run_id": "VARCHAR"
}]'), recursive := true);
