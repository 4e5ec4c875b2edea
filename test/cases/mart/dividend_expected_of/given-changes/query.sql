WITH change AS (
  SELECT '0690000011' AS account_no, DATE '2025-03-12' AS trading_date, 'BBB' AS symbol, 20 AS announced,
    0 AS unexplained_quantity
)
FROM mart.dividend_expected_of('change')
