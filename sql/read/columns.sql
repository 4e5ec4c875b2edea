-- grain: one row per column of a relation of the catalog, in order
WITH described_column AS (
  SELECT column_name, column_type, row_number() OVER () AS ordinal FROM (DESCRIBE $relation)
), schema_of_relation AS (
  SELECT schema_name
  FROM duckdb_columns()
  WHERE NOT internal AND lower(table_name) = lower('$name') AND '$schema' IN ('', schema_name)
  ORDER BY list_position(string_split(current_setting('search_path'), ','), schema_name)
  LIMIT 1
), documented_column AS (
  SELECT column_name, comment
  FROM duckdb_columns()
  WHERE NOT internal AND lower(table_name) = lower('$name') AND schema_name = (FROM schema_of_relation)
)
SELECT column_name, column_type, comment
FROM described_column
LEFT JOIN documented_column USING (column_name)
ORDER BY ordinal
