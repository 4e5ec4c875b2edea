-- grain: one row per rule, scope and first day: data/reference, and in a catalog the user's market_rules.csv
-- Ticks and phases of a trading day have files with columns of their own; here they are rows as all others.
CREATE OR REPLACE TABLE mart.market_rule AS
WITH stated_rule AS (
  SELECT rule, scope, valid_from, valid_to, value, unit, source, certainty
  FROM read_csv(getvariable('reference_market_rules'), header = true, all_varchar = true)
  UNION ALL
  SELECT 'tick', board || '/' || kind, valid_from, valid_to, tick, 'from ' || price_from, source, certainty
  FROM read_csv(getvariable('reference_ticks'), header = true, all_varchar = true)
  UNION ALL
  SELECT 'phase', board, valid_from, valid_to, phase || ' ' || starts || '-' || ends, 'exchange time', source,
    certainty
  FROM read_csv(getvariable('reference_sessions'), header = true, all_varchar = true)
)
SELECT rule, scope, CAST(valid_from AS DATE) AS valid_from,
  coalesce(CAST(nullif(valid_to, '') AS DATE), DATE '9999-12-31') AS valid_to,
  value, nullif(unit, '') AS unit, source, certainty
FROM stated_rule
ORDER BY rule, scope, valid_from, unit;
COMMENT ON TABLE mart.market_rule IS
  'One row per rule of the market, scope and validity, with its source: the rulebook (docs/rulebook.md).';
COMMENT ON COLUMN mart.market_rule.rule IS 'What is ruled: price_band, lot_size, multiplier, tick, phase, …';
COMMENT ON COLUMN mart.market_rule.scope IS
  'For what: *, a board, a board and a kind (HOSE/etf), futures by underlying (DERIVATIVE/VN30). The most '
  'specific scope holds.';
COMMENT ON COLUMN mart.market_rule.valid_from IS
  'First day for which the value is supported by the source; what applied before it is another row, or not '
  'known.';
COMMENT ON COLUMN mart.market_rule.valid_to IS 'Last day; 9999-12-31: it still holds.';
COMMENT ON COLUMN mart.market_rule.value IS 'The rule, as text.';
COMMENT ON COLUMN mart.market_rule.unit IS 'Of the value; of a tick, the price from which it applies.';
COMMENT ON COLUMN mart.market_rule.source IS 'Where it is stated.';
COMMENT ON COLUMN mart.market_rule.certainty IS
  'published (by an exchange, the state, or two sources), measured (on data), inferred (a weaker source).';
