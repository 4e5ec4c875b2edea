-- grain: one row per account and symbol of which its latest complete snapshot has maximum quantities
-- Of one account, or of all: ALL. An account whose latest snapshot has none is not here: what an earlier day
-- had is over.
WITH latest_day AS (
  SELECT account_no, trading_date
  FROM mart.account_day
  WHERE snapshot_id IS NOT NULL AND $account IN ('ALL', account_no)
  QUALIFY row_number() OVER (PARTITION BY account_no ORDER BY trading_date DESC) = 1
)
SELECT account_no, trading_date, symbol, price, max_buy_qty, max_buy_value, max_sell_qty, margin_ratio,
  purchasing_power
FROM mart.account_max_quantity SEMI JOIN latest_day USING (account_no, trading_date)
ORDER BY account_no, symbol
