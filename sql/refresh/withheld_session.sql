-- grain: one row per relation, session and key that readers do not have, since it is withheld; key null: the
--   whole session
-- What neither changed since it was published nor was withheld by the last publication is visible, withheld
-- or not. Reads withheld and withheld_derived: the rows of sql/recon/withheld.sql and
-- sql/recon/withheld_derived.sql.
WITH hidden AS (
  SELECT relation, trading_date, unnest(coalesce(keys, [NULL])) AS key FROM withheld
  UNION
  SELECT relation, trading_date, key FROM withheld_derived
), unpublished AS (
  -- a partition ends with its days, whatever kind of files it begins with
  SELECT relation, regexp_extract(partition, '[0-9]{4}[0-9-]*$') AS partition FROM ops.dirty_partition
  UNION ALL
  SELECT relation, CAST(trading_date AS VARCHAR) FROM ops.withheld_row
)
SELECT DISTINCT hidden.relation, hidden.trading_date, hidden.key
FROM hidden
SEMI JOIN unpublished
  ON unpublished.relation = hidden.relation
    AND unpublished.partition IN (CAST(hidden.trading_date AS VARCHAR),
      strftime(hidden.trading_date, '%Y-%m'), strftime(hidden.trading_date, '%Y'))
