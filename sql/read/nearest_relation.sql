-- grain: one row per relation whose name is nearest to one that does not exist
WITH relation AS (
  SELECT DISTINCT schema_name || '.' || table_name AS name
  FROM duckdb_columns()
  WHERE NOT internal AND schema_name <> 'main'
)
SELECT name
FROM relation
WHERE damerau_levenshtein(name, lower($name)) <= 3
  OR split_part(name, '.', 2) = split_part(lower($name), '.', 2)
ORDER BY damerau_levenshtein(name, lower($name)), name
LIMIT 3
