-- grain: one row per account and symbol of the snapshot being checked, figures as text
SELECT account_no AS account, symbol,
  as_text(quantity_before) AS "quantityBefore", as_text(bought) AS bought, as_text(sold) AS sold,
  as_text(from_dividends) AS "fromDividends", as_text(expected_quantity) AS expected,
  as_text(quantity) AS quantity, as_text(residual) AS residual
FROM mart.position_match(getvariable('audit_as_of'))
ORDER BY account_no, symbol;
