-- grain: one row per relation and column of which values changed since the night before
-- The latest revision is shown whole: arg_max of a column alone skips the nulls of it.
WITH latest AS (
  SELECT relation, "column", count(*) AS changes, count(DISTINCT key) AS rows_changed,
    arg_max(struct_pack(key, "old", "new"), observed_at) AS revision
  FROM market.revision
  WHERE observed_at > $since AND observed_at < $until
  GROUP BY ALL
)
SELECT relation, "column", CAST(changes AS DOUBLE) AS changes, CAST(rows_changed AS DOUBLE) AS rows_changed,
  revision.key AS key, revision."old" AS old_value, revision."new" AS new_value
FROM latest
ORDER BY changes DESC, relation, "column"
LIMIT 40;
