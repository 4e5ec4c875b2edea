-- What was written beside the tables of the lake, as it was written: a changed byte in it is noticed by the next publication.
-- Empty while a publication writes: after a kill the files may be new or old.
-- grain: one row per file
CREATE TABLE IF NOT EXISTS ops.sealed_file (
  file   VARCHAR,
  sha256 VARCHAR
);

COMMENT ON TABLE ops.sealed_file IS 'One row per file that a publication writes beside the tables of the lake: manifest.json, the catalog, the DuckLake.';
COMMENT ON COLUMN ops.sealed_file.file IS 'File, relative to the home.';
COMMENT ON COLUMN ops.sealed_file.sha256 IS 'SHA-256 of the file as it was written.';
