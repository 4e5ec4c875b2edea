-- grain: one row per file that a publication wrote, or that was recovered from a Delta log. Bound: the files
-- as a JSON array
INSERT INTO ops.lake_file BY NAME
SELECT unnest(from_json(?, '[{
  "relation": "VARCHAR",
  "partition": "VARCHAR",
  "file": "VARCHAR",
  "row_count": "BIGINT",
  "bytes": "BIGINT",
  "removed_at": "TIMESTAMPTZ",
  "sha256": "VARCHAR",
  "stats": "VARCHAR",
  "data_change": "BOOLEAN",
  "publication_id": "BIGINT",
  "added_at": "TIMESTAMPTZ"
}]'), max_depth := 2);
