-- grain: one row per symbol or index that a chart can show
SELECT symbol, kind, trading_board AS board, coalesce(symbol_name_en, symbol_name_vi, '') AS name,
  coalesce(symbol_name_vi, '') AS name_vi, is_listed
FROM mart.instrument
ORDER BY symbol
