-- grain: one row per symbol or index that a chart can show
WITH drawable AS (
  SELECT symbol, kind, trading_board AS board, coalesce(symbol_name_en, symbol_name_vi, '') AS name,
    coalesce(symbol_name_vi, '') AS name_vi, is_listed
  FROM mart.instrument
  UNION ALL BY NAME
  SELECT index_code AS symbol, 'index' AS kind, board, coalesce(index_name, '') AS name, '' AS name_vi,
    is_listed
  FROM market.market_index
)
FROM drawable
ORDER BY symbol
