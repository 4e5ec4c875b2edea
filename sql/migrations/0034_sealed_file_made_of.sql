-- A publication that changes nothing opened the catalog and the DuckLake to see what they show.
ALTER TABLE ops.sealed_file ADD COLUMN IF NOT EXISTS made_of VARCHAR;

COMMENT ON COLUMN ops.sealed_file.made_of IS 'SHA-256 of what the catalog or the DuckLake was made of; null for manifest.json.';
