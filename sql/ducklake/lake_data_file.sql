-- grain: one row per period in which a file was live
-- A file that was replaced and came back has two periods, and so two rows with one path. Rows of the same
-- table are counted on from file to file: row_id_start.
CREATE OR REPLACE TEMP TABLE lake_data_file AS
WITH period AS (
  SELECT lake_table.table_id, lake_file.file, lake_file.row_count, lake_file.bytes, lake_file.stats,
    lake_file.data_change,
    substr(lake_file.file, length(lake_table.schema_name) + length(lake_table.table_name) + 3) AS path,
    file_period.from_publication AS begin_snapshot,
    file_period.until_publication AS end_snapshot
  FROM ops.file_period JOIN ops.lake_file USING (file) JOIN lake_table USING (relation)
), numbered AS (
  SELECT *, row_number() OVER (ORDER BY table_id, begin_snapshot, path) AS data_file_id
  FROM period
)
SELECT *,
  coalesce(sum(row_count) OVER (
    PARTITION BY table_id ORDER BY data_file_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
  ), 0) AS row_id_start
FROM numbered;
