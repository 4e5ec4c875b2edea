-- grain: one row: what made this catalog. A catalog whose views another version wrote is written again by publish.
CREATE TABLE ops.catalog (
  made_by     VARCHAR,
  mart_sha256 VARCHAR
);
COMMENT ON TABLE ops.catalog IS 'One row: what made this catalog.';
COMMENT ON COLUMN ops.catalog.made_by IS 'Version of candlehouse.';
COMMENT ON COLUMN ops.catalog.mart_sha256 IS 'SHA-256 of the views and macros of schema mart.';
