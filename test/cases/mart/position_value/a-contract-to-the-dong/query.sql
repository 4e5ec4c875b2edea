SELECT symbol, quantity, market_value = CASE quantity WHEN 2 THEN 265100000 ELSE -130630000 END AS is_value_exact,
  unrealised_pnl = CASE quantity WHEN 2 THEN 140000 ELSE -70000 END AS is_pnl_exact
FROM mart.position_value
