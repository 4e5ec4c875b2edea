-- grain: one row per relation, trading date and key that is withheld from readers, derived relations
--   included; key null: the whole session
WITH withheld AS (
  $withheld
)
SELECT relation, trading_date, unnest(coalesce(keys, [NULL])) AS key FROM withheld
UNION
SELECT relation, trading_date, key
FROM (
  $derived
) derived
