-- grain: one row per live file of the lake that this catalog reads
CREATE TABLE ops.lake_file (
  relation  VARCHAR,
  partition VARCHAR,
  file      VARCHAR
);
COMMENT ON TABLE ops.lake_file IS 'Live Parquet files: exactly what this catalog reads.';
COMMENT ON COLUMN ops.lake_file.relation IS 'Relation, schema-qualified.';
COMMENT ON COLUMN ops.lake_file.partition IS
  'Session (YYYY-MM-DD), month (YYYY-MM), year (YYYY), or all; after longer-: bars longer than a minute.';
COMMENT ON COLUMN ops.lake_file.file IS 'File, relative to the lake folder.';
