-- grain: one row per word that DuckDB suggests at the end of the text; names have only the quotes they need
WITH suggested AS (
  SELECT suggestion, suggestion_start, trim(suggestion, '" ') AS name FROM sql_auto_complete($text)
), reserved AS (
  SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category = 'reserved'
)
SELECT
  CASE
    WHEN regexp_full_match(name, '[a-z_][a-z0-9_]*') AND name NOT IN (SELECT keyword_name FROM reserved)
      AND suggestion LIKE '"%' THEN name
    ELSE suggestion
  END AS suggestion,
  suggestion_start
FROM suggested
