-- The lake as Delta tables: what its log says of a file, kept with the file. Lakes of before are written anew; their
-- files stay for readers of an older catalog as long as other replaced files.
ALTER TABLE ops.lake_file ADD COLUMN IF NOT EXISTS sha256 VARCHAR;
ALTER TABLE ops.lake_file ADD COLUMN IF NOT EXISTS stats VARCHAR;
ALTER TABLE ops.lake_file ADD COLUMN IF NOT EXISTS data_change BOOLEAN;
ALTER TABLE ops.lake_file ADD COLUMN IF NOT EXISTS publication_id BIGINT;
ALTER TABLE ops.lake_file ADD COLUMN IF NOT EXISTS added_at TIMESTAMPTZ;

COMMENT ON COLUMN ops.lake_file.sha256 IS 'SHA-256 of the file.';
COMMENT ON COLUMN ops.lake_file.stats IS 'Statistics of the file as the Delta log gives them, JSON.';
COMMENT ON COLUMN ops.lake_file.data_change IS 'False where the file only merges rows that other files held.';
COMMENT ON COLUMN ops.lake_file.publication_id IS 'Publication that wrote it.';
COMMENT ON COLUMN ops.lake_file.added_at IS 'When it was written.';
COMMENT ON COLUMN ops.lake_file.partition IS 'Session (YYYY-MM-DD), month (YYYY-MM), or all.';
COMMENT ON COLUMN ops.dirty_partition.partition IS 'Session (YYYY-MM-DD), month (YYYY-MM), or all for relations that are written whole.';
COMMENT ON COLUMN ops.publication.versions IS 'Relation to version of its Delta table, a JSON object.';

-- A relation without a live file is published whole.
UPDATE ops.lake_file SET removed_at = now() WHERE removed_at IS NULL;
