-- grain: one row per trading date of the account
-- A catalog that an earlier version published has no column priced_on.
WITH curve AS (
  SELECT * FROM (SELECT NULL::DATE AS priced_on LIMIT 0)
  UNION ALL BY NAME
  SELECT * FROM mart.account_equity_curve
)
SELECT trading_date, net_cash, position_value, net_asset_value, total_equity, difference, priced_on, change
FROM curve
WHERE account_no = $account
ORDER BY trading_date
