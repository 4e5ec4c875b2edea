WITH day AS (
  SELECT 'A1' AS account_no, 'CASH' AS account_type, trading_date, 'complete' AS state, NULL::VARCHAR AS missing, before_of,
    net_asset_value AS net_cash, net_asset_value, trading_date AS priced_on, 0.0::DOUBLE AS dividend, price_gain,
    0.0::DOUBLE AS unexplained_cash, 50.0::DOUBLE AS costs_most, 10.0::DOUBLE AS income_most,
    0 AS unexplained_positions, 0.0::DOUBLE AS unexplained_shares, 0.0::DOUBLE AS difference
  FROM (VALUES (DATE '2025-03-12', NULL::DATE, 1000.0::DOUBLE, NULL::DOUBLE),
    (DATE '2025-03-13', DATE '2025-03-12', 1100.0, 100.0)) AS given (trading_date, before_of, net_asset_value, price_gain)
), cost AS (
  SELECT 'A1' AS account_no, DATE '2025-03-13' AS reported_on, unnest([7.0::DOUBLE, 3.0]) AS cost
)
FROM mart.account_return_of('day', 'cost')
