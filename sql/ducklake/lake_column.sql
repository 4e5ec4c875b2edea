-- grain: one row per column of lake_table, with its type in DuckLake's words
CREATE OR REPLACE TEMP TABLE lake_column AS
WITH described AS (
  SELECT table_id, unnest(columns) AS described_column, generate_subscripts(columns, 1) AS column_id
  FROM lake_table
)
SELECT table_id, column_id, described_column.name AS column_name, described_column.comment AS comment,
  CASE described_column.type
    WHEN 'BIGINT' THEN 'int64'
    WHEN 'INTEGER' THEN 'int32'
    WHEN 'DOUBLE' THEN 'float64'
    WHEN 'TIMESTAMP WITH TIME ZONE' THEN 'timestamptz'
    ELSE lower(described_column.type)
  END AS ducklake_type
FROM described;
