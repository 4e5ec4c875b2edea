-- grain: one row per rule, scope and first day: the packaged rulebook, with the user's own rows in place of
--   what they overlap. A ladder of ticks and the phases of a day are replaced as a whole.
-- Bound: rules of the user's market_rules.csv, as JSON
CREATE OR REPLACE TEMP TABLE user_rule AS
SELECT row.rule, row.scope, row.valid_from, coalesce(row.valid_to, DATE '9999-12-31') AS valid_to, row.value,
  nullif(row.unit, '') AS unit, row.source, row.certainty
FROM (
  SELECT unnest(from_json($rules, '[{"rule": "VARCHAR", "scope": "VARCHAR", "valid_from": "DATE",
    "valid_to": "DATE", "value": "VARCHAR", "unit": "VARCHAR", "source": "VARCHAR",
    "certainty": "VARCHAR"}]')) AS row
);
CREATE OR REPLACE TEMP TABLE stated_rule AS
WITH piece AS (
  -- what is left of a packaged row begins with it, or behind a row of the user
  SELECT market_rule.* EXCLUDE (valid_from), valid_from AS piece_from FROM mart.market_rule market_rule
  UNION ALL BY NAME
  SELECT DISTINCT market_rule.* EXCLUDE (valid_from), user_rule.valid_to + 1 AS piece_from
  FROM mart.market_rule market_rule JOIN user_rule USING (rule, scope)
  WHERE user_rule.valid_to BETWEEN market_rule.valid_from AND market_rule.valid_to - 1
), packaged AS (
  SELECT piece.* EXCLUDE (piece_from, valid_to), piece_from AS valid_from,
    least(piece.valid_to, coalesce((SELECT min(user_rule.valid_from) - 1 FROM user_rule
      WHERE user_rule.rule = piece.rule AND user_rule.scope = piece.scope
        AND user_rule.valid_from > piece_from), piece.valid_to)) AS valid_to
  FROM piece
  ANTI JOIN user_rule
    ON user_rule.rule = piece.rule AND user_rule.scope = piece.scope
      AND piece_from BETWEEN user_rule.valid_from AND user_rule.valid_to
)
FROM packaged UNION ALL BY NAME FROM user_rule;
DELETE FROM mart.market_rule;
INSERT INTO mart.market_rule BY NAME FROM stated_rule ORDER BY rule, scope, valid_from, unit;
DROP TABLE user_rule;
DROP TABLE stated_rule;
