-- grain: one row per relation and session with rows that the last publication withheld and that are no longer
--   withheld: as marks of ops.dirty_partition. Reads withheld_now, the rows of sql/publish/withheld_row.sql.
SELECT DISTINCT stored.relation, CAST(stored.trading_date AS VARCHAR) AS partition
FROM ops.withheld_row stored
WHERE NOT EXISTS (
  SELECT 1
  FROM withheld_now
  WHERE withheld_now.relation = stored.relation AND withheld_now.trading_date = stored.trading_date
    AND (withheld_now.key IS NULL OR withheld_now.key = stored.key)
)
