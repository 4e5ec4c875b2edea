-- grain: one row per symbol and trading date whose bars are withheld from readers; symbol null: those of all
--   symbols. Reads withheld: the rows of sql/recon/withheld.sql.
SELECT DISTINCT unnest(coalesce(withheld.keys, [NULL])) AS symbol, withheld.trading_date
FROM withheld
WHERE withheld.relation = 'market.candle'
