-- grain: one row per trading date of the account
SELECT trading_date, net_cash, position_value, net_asset_value, total_equity, difference, change
FROM mart.account_equity_curve
WHERE account_no = $account
ORDER BY trading_date
