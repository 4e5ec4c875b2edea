-- grain: one row per column of a view of the user's own, in order, with the words that the columns of its
--   name have in what the view reads; null where these differ, or have none
WITH words AS (
  SELECT column_name, any_value(comment) AS inherited
  FROM duckdb_columns()
  WHERE NOT internal AND schema_name || '.' || table_name IN ($reads) AND coalesce(comment, '') <> ''
  GROUP BY column_name
  HAVING count(DISTINCT comment) = 1
)
SELECT own_column.column_name AS name, words.inherited
FROM duckdb_columns() own_column
LEFT JOIN words USING (column_name)
WHERE own_column.schema_name = 'mine' AND own_column.table_name = $name
ORDER BY own_column.column_index
