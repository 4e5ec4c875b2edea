-- grain: one row per column of the relations in a statement whose name is nearest to one that does not exist
WITH named_column AS (
  SELECT DISTINCT column_name AS name
  FROM duckdb_columns()
  WHERE NOT internal AND regexp_matches(lower($statement), '\b' || table_name || '\b')
)
SELECT name
FROM named_column
WHERE damerau_levenshtein(name, lower($name)) <= 3 OR contains(name, lower($name))
ORDER BY damerau_levenshtein(name, lower($name)), name
LIMIT 3
