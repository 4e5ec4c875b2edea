-- grain: one row per publication that can still be read and that the DuckLake lacks
-- The first one is the earliest with which a period begins: periods are cut where files are swept.
CREATE OR REPLACE TEMP TABLE lake_snapshot AS
WITH readable AS (
  SELECT publication_id AS snapshot_id, published_at, run_id,
    publication_id = min(publication_id) OVER () AS is_first
  FROM ops.publication
  WHERE publication_id >= (SELECT min(from_publication) FROM ops.file_period)
)
FROM readable
WHERE snapshot_id > (SELECT coalesce(max(snapshot_id), -1) FROM ducklake.ducklake_snapshot);
