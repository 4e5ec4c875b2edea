-- grain: one row per relation, session and key that changed and is withheld from readers; key null: the whole
--   session
-- What did not change since it was published is visible, withheld or not. Reads withheld and
-- withheld_derived: the rows of sql/recon/withheld.sql and sql/recon/withheld_derived.sql.
WITH hidden AS (
  SELECT relation, trading_date, unnest(coalesce(keys, [NULL])) AS key FROM withheld
  UNION
  SELECT relation, trading_date, key FROM withheld_derived
)
SELECT DISTINCT hidden.relation, hidden.trading_date, hidden.key
FROM hidden
SEMI JOIN ops.dirty_partition dirty
  ON dirty.relation = hidden.relation
    AND dirty.partition IN (CAST(hidden.trading_date AS VARCHAR), strftime(hidden.trading_date, '%Y-%m'),
      strftime(hidden.trading_date, '%Y'))
