-- grain: one row per period in which a file was live, of those that the DuckLake lacks or knows no end of
-- A file that was replaced and came back has two periods, and so two rows with one path. Ids follow the
-- publications, so that a later one only adds rows. Rows of the same table are counted on from file to file:
-- row_id_start.
CREATE OR REPLACE TEMP TABLE lake_data_file AS
WITH lake_table AS (
  SELECT table_id, schema_name || '.' || table_name AS relation, length(relation) + 2 AS path_start
  FROM ducklake.ducklake_table JOIN ducklake.ducklake_schema USING (schema_id)
), period AS (
  SELECT table_id, file, row_count, substr(file, path_start) AS path,
    from_publication AS begin_snapshot, until_publication AS end_snapshot,
    (SELECT coalesce(max(snapshot_id), -1) FROM ducklake.ducklake_snapshot) AS known_snapshot
  FROM ops.file_period JOIN ops.lake_file USING (file) JOIN lake_table USING (relation)
), counted AS (
  SELECT * EXCLUDE (row_count),
    row_number() OVER (ORDER BY begin_snapshot, table_id, path) AS data_file_id,
    coalesce(sum(row_count) OVER (
      PARTITION BY table_id ORDER BY begin_snapshot, path ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ), 0) AS row_id_start,
    begin_snapshot > known_snapshot AS is_new
  FROM period
)
SELECT counted.* EXCLUDE (known_snapshot), lake_file.row_count, bytes, stats, data_change
FROM counted JOIN ops.lake_file USING (file)
WHERE is_new OR end_snapshot > known_snapshot;
