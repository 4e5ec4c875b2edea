-- grain: one row per column of schema mart without a comment, with the statement that gives it the one of its
--   name: the one for its object, else the one for all objects
WITH shared AS (
  SELECT * FROM read_csv($comments, header = true, all_varchar = true)
)
SELECT format('COMMENT ON COLUMN mart.{}.{} IS ''{}'';', table_name, column_name,
  replace(shared.comment, '''', '''''')) AS statement
FROM duckdb_columns() shown
JOIN shared USING (column_name)
WHERE database_name = current_database() AND schema_name = 'mart' AND table_name IN ($objects)
  AND coalesce(shown.comment, '') = ''
  AND (shared.objects IS NULL OR list_contains(string_split(shared.objects, ' '), table_name))
QUALIFY row_number() OVER (PARTITION BY table_name, column_name ORDER BY shared.objects NULLS LAST) = 1;
