-- grain: one row per symbol that is asked for whose adjusted prices may miss an adjustment, indexes aside
-- Those before chain_known_from may; it is null where neither a reference price nor a close is stored, which
-- would show one.
WITH drawn AS (
  SELECT DISTINCT unnest([$symbol, $other]) AS symbol
), market_index AS (
  SELECT index_code AS symbol FROM market.market_index
  UNION
  SELECT index_code FROM market.index_summary WHERE index_code IN ($symbol, $other)
)
SELECT drawn.symbol, chain.chain_known_from, chain.reason
FROM drawn
LEFT JOIN mart.chain_known chain ON chain.symbol = drawn.symbol
WHERE drawn.symbol <> '' AND drawn.symbol NOT IN (SELECT symbol FROM market_index)
ORDER BY drawn.symbol
