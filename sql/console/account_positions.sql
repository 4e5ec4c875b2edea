-- grain: one row per symbol that the account's latest complete snapshot holds
SELECT trading_date, symbol, quantity, dividend_quantity, average_price
FROM mart.account_position
WHERE account_no = $account
QUALIFY dense_rank() OVER (ORDER BY trading_date DESC) = 1
ORDER BY symbol
