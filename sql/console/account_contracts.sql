-- grain: one row per account and contract of its latest complete snapshot
-- Of one account, or of all: ALL.
SELECT account_no, trading_date, symbol, long, short, net, average_bought, average_sold,
  closed_quantity, trade_price, trading_pl, floating_pl, contract_value
FROM mart.account_contract
WHERE $account IN ('ALL', account_no)
QUALIFY trading_date = max(trading_date) OVER (PARTITION BY account_no)
ORDER BY account_no, symbol
