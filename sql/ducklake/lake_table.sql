-- grain: one row per relation of the manifest, with the ids that its table and its schema get
-- Ids follow the order of the manifest, so that the same lake gives the same ids.
CREATE OR REPLACE TEMP TABLE lake_table AS
WITH relation AS (
  SELECT unnest(from_json($relations, '[{
    "name": "VARCHAR", "comment": "VARCHAR", "table_id": "UUID",
    "columns": [{"name": "VARCHAR", "type": "VARCHAR", "comment": "VARCHAR"}]
  }]'), max_depth := 2)
), numbered AS (
  SELECT name AS relation, comment, table_id AS table_uuid, columns,
    split_part(name, '.', 1) AS schema_name,
    substr(name, strpos(name, '.') + 1) AS table_name,
    row_number() OVER () AS position
  FROM relation
)
-- Schema main is 0.
SELECT relation, comment, table_uuid, columns, schema_name, table_name,
  dense_rank() OVER (ORDER BY schema_name) AS schema_id,
  count(DISTINCT schema_name) OVER () + position AS table_id
FROM numbered;
