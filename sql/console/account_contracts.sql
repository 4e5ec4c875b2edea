-- grain: one row per account and contract of its latest complete snapshot
-- Of one account, or of all: ALL. An account whose latest snapshot has none is not here: what an earlier day
-- had is over.
WITH latest_day AS (
  SELECT account_no, trading_date
  FROM mart.account_day
  WHERE snapshot_id IS NOT NULL AND $account IN ('ALL', account_no)
  QUALIFY row_number() OVER (PARTITION BY account_no ORDER BY trading_date DESC) = 1
)
SELECT account_no, trading_date, symbol, long, short, net, average_bought, average_sold,
  closed_quantity, trade_price, trading_pl, floating_pl, contract_value
FROM mart.account_contract SEMI JOIN latest_day USING (account_no, trading_date)
ORDER BY account_no, symbol
