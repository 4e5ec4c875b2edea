-- grain: one row per word that DuckDB suggests at the end of the text
SELECT suggestion, suggestion_start
FROM sql_auto_complete($text)
