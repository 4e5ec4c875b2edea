-- What is withheld was marked as changed again by every publication: all that follows from it was computed again every night.
-- grain: one row per relation, trading_date, key
CREATE TABLE IF NOT EXISTS ops.withheld_row (
  relation     VARCHAR,
  trading_date DATE,
  key          VARCHAR
);

COMMENT ON TABLE ops.withheld_row IS 'Rows that the last publication withheld: once they are no longer withheld, their session is marked as changed.';
COMMENT ON COLUMN ops.withheld_row.relation IS 'Relation, schema-qualified.';
COMMENT ON COLUMN ops.withheld_row.trading_date IS 'Session of the rows.';
COMMENT ON COLUMN ops.withheld_row.key IS 'Symbol or code of an index; null for the whole session.';
