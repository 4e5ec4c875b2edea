WITH change AS (
  SELECT '0690000011' AS account_no, DATE '2025-03-11' AS trading_date, DATE '2025-03-10' AS before_of, 'AAA' AS symbol,
    100 AS quantity_before, 20 AS bought, 500000.0::DOUBLE AS bought_value, 0.0::DOUBLE AS sold_value, 0 AS announced,
    0 AS expired, NULL::DOUBLE AS expired_at, 0 AS unexplained_quantity, false AS has_ex_date
), value AS (
  SELECT '0690000011' AS account_no, trading_date, 'AAA' AS symbol, price, trading_date AS priced_on, true AS is_current,
    market_value::DOUBLE AS market_value, 0.0::DOUBLE AS dividend_value, 0.0::DOUBLE AS unrealised_pnl
  FROM (VALUES (DATE '2025-03-10', 20000, 2000000), (DATE '2025-03-11', 22500, 2700000))
    AS given (trading_date, price, market_value)
)
FROM mart.account_equity_curve_of('change', 'value')
