-- grain: one row per account and symbol of which its latest snapshot with maximum quantities has them
-- Of one account, or of all: ALL.
SELECT account_no, trading_date, symbol, price, max_buy_qty, max_buy_value, max_sell_qty, margin_ratio,
  purchasing_power
FROM mart.account_max_quantity
WHERE $account IN ('ALL', account_no)
QUALIFY trading_date = max(trading_date) OVER (PARTITION BY account_no)
ORDER BY account_no, symbol
