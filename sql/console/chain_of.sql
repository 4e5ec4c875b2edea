-- grain: one row per symbol that is asked for whose adjusted prices may miss an adjustment, indexes aside
-- Those before chain_known_from may; it is null where neither a reference price nor a close is stored, which
-- would show one.
WITH drawn AS (
  SELECT DISTINCT unnest([$symbol, $other]) AS symbol
), known_index AS (
  SELECT mart.plain_index_code(index_code) AS code FROM market.market_index
  UNION
  SELECT mart.plain_index_code(index_code) FROM market.index_summary
)
SELECT drawn.symbol, chain.chain_known_from, chain.reason
FROM drawn
LEFT JOIN mart.chain_known chain ON chain.symbol = drawn.symbol
WHERE drawn.symbol <> '' AND mart.plain_index_code(drawn.symbol) NOT IN (SELECT code FROM known_index)
ORDER BY drawn.symbol
