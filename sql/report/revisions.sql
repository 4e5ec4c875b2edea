-- grain: one row per relation and column of which values changed since the night before
SELECT relation, "column", CAST(count(*) AS DOUBLE) AS changes,
  CAST(count(DISTINCT key) AS DOUBLE) AS rows_changed, arg_max(key, observed_at) AS key,
  arg_max("old", observed_at) AS old_value, arg_max("new", observed_at) AS new_value
FROM market.revision
WHERE observed_at > $since AND observed_at < $until
GROUP BY relation, "column"
ORDER BY changes DESC, relation, "column"
LIMIT 40;
