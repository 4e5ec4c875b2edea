-- grain: one row per symbol that the account's latest complete snapshot holds
-- A catalog that an earlier version published has no column is_current.
WITH position_value AS (
  SELECT * FROM (SELECT NULL::BOOLEAN AS is_current LIMIT 0)
  UNION ALL BY NAME
  SELECT * FROM mart.position_value
)
SELECT trading_date, symbol, quantity, dividend_quantity, average_price, price, priced_on, is_current,
  market_value
FROM position_value
WHERE account_no = $account
  AND trading_date = (
    SELECT max(trading_date) FROM mart.account_day WHERE account_no = $account AND snapshot_id IS NOT NULL
  )
ORDER BY symbol
