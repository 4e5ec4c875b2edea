-- Files of years were sorted by month first (docs/decisions/0081-where-reading-spends-its-time.md).
CREATE TABLE IF NOT EXISTS ops.former_order (
  relation  VARCHAR,
  partition VARCHAR
);

COMMENT ON TABLE ops.former_order IS 'Files whose rows an earlier version sorted in another order: the next publication writes them again.';
COMMENT ON COLUMN ops.former_order.relation IS 'Relation, schema-qualified.';
COMMENT ON COLUMN ops.former_order.partition IS 'Partition of the file, as in ops.lake_file.';

INSERT INTO ops.former_order
SELECT relation, partition FROM ops.lake_file
WHERE removed_at IS NULL AND regexp_full_match(partition, '(longer-)?[0-9]{4}');
