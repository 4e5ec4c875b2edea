-- grain: one row per order of one account, $account, and trading date whose snapshot reports more of it
--   filled
-- reported_on: the trading date of that snapshot. value without fees and tax, VND.
SELECT CAST(told_on AS VARCHAR) AS reported_on, CAST(trading_date AS VARCHAR) AS trading_date,
  changed_at, order_id, symbol, side, CAST(quantity AS DOUBLE) AS quantity, price, value
FROM mart.account_fill
WHERE account_no = $account AND NOT is_opening
ORDER BY told_on, changed_at, order_id;
