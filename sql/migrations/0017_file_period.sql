-- Which files each publication had: what time travel over all tables needs. A file that was replaced and came back has two
-- periods.
-- grain: one row per file and period
CREATE TABLE IF NOT EXISTS ops.file_period (
  file              VARCHAR,
  from_publication  BIGINT,
  until_publication BIGINT
);

COMMENT ON TABLE ops.file_period IS 'One row per file of the lake and period in which it was live. The earliest publication with which a period begins is the first that can still be read whole.';
COMMENT ON COLUMN ops.file_period.file IS 'File, relative to the lake folder.';
COMMENT ON COLUMN ops.file_period.from_publication IS 'First publication that has the file, of those that can still be read.';
COMMENT ON COLUMN ops.file_period.until_publication IS 'First publication that no longer has it; null while it is live.';
