-- grain: one row per column and data file: bounds by which readers skip the file
-- The bounds are those of the Delta log, as text. Numbers in them are quoted before JSON is parsed, because
-- DuckDB parses them as DOUBLE, which rounds what has more than 15 digits.
INSERT INTO ducklake.ducklake_file_column_stats BY NAME
WITH quoted AS (
  SELECT data_file_id, table_id, row_count,
    regexp_replace(stats, '(\w":)(-?[0-9][0-9.eE+-]*|true|false)([,}])', '\1"\2"\3', 'g') AS stats
  FROM lake_data_file
  WHERE is_new
), parsed AS (
  SELECT data_file_id, table_id, row_count, from_json(stats, '{
    "minValues": "MAP(VARCHAR, VARCHAR)",
    "maxValues": "MAP(VARCHAR, VARCHAR)",
    "nullCount": "MAP(VARCHAR, BIGINT)"
  }') AS stats
  FROM quoted
), bound AS (
  SELECT parsed.data_file_id, table_id, described.column_id, parsed.row_count,
    described.column_type = 'timestamptz' AS is_instant,
    map_extract_value(parsed.stats.minValues, described.column_name) AS min_value,
    map_extract_value(parsed.stats.maxValues, described.column_name) AS max_value,
    map_extract_value(parsed.stats.nullCount, described.column_name) AS null_count
  FROM parsed JOIN ducklake.ducklake_column described USING (table_id)
)
SELECT data_file_id, table_id, column_id, row_count - null_count AS value_count, null_count,
  CASE WHEN is_instant THEN regexp_replace(replace(min_value, 'T', ' '), '\.?0*Z$', '+00')
    ELSE min_value END AS min_value,
  CASE WHEN is_instant THEN regexp_replace(replace(max_value, 'T', ' '), '\.?0*Z$', '+00')
    ELSE max_value END AS max_value
FROM bound;
