-- grain: one row per migration that was applied
CREATE SCHEMA IF NOT EXISTS ops;
CREATE TABLE IF NOT EXISTS ops.migration (
  version INTEGER,
  name    VARCHAR,
  sha256  VARCHAR
);
COMMENT ON TABLE ops.migration IS 'Schema changes this file has seen.';
COMMENT ON COLUMN ops.migration.version IS 'Number of the migration, rising.';
COMMENT ON COLUMN ops.migration.name IS 'File in sql/migrations.';
COMMENT ON COLUMN ops.migration.sha256 IS 'SHA-256 of that file when it was applied.';
