-- grain: one row per relation and session that changed and is withheld from readers
-- What did not change since it was published is visible, withheld or not. Reads withheld and
-- withheld_derived: the rows of sql/recon/withheld.sql and sql/recon/withheld_derived.sql.
WITH hidden AS (
  SELECT relation, trading_date FROM withheld
  UNION
  SELECT relation, trading_date FROM withheld_derived
)
SELECT DISTINCT hidden.relation, hidden.trading_date
FROM hidden
SEMI JOIN ops.dirty_partition dirty
  ON dirty.relation = hidden.relation
    AND dirty.partition IN (CAST(hidden.trading_date AS VARCHAR), strftime(hidden.trading_date, '%Y-%m'),
      strftime(hidden.trading_date, '%Y'))
