-- grain: one row per account and step of its cash by the latest complete snapshot: now, and each settlement
-- Of one account, or of all: ALL. A derivative account has the profit of the day's settlement, which is paid
-- on the next session.
WITH latest_day AS MATERIALIZED (
  SELECT account_no, trading_date, snapshot_id
  FROM mart.account_day
  WHERE snapshot_id IS NOT NULL AND $account IN ('ALL', account_no)
  QUALIFY row_number() OVER (PARTITION BY account_no ORDER BY trading_date DESC) = 1
), contract_cash AS (
  SELECT day.account_no, day.trading_date, settlement.t1_date,
    CAST(balance.account_balance AS DOUBLE) AS account_balance,
    CAST(balance.delivery_amount AS DOUBLE) AS delivery_amount
  FROM latest_day day
  JOIN account.derivative_balance balance
    ON balance.snapshot_id = day.snapshot_id AND balance.account_no = day.account_no
  LEFT JOIN mart.settlement_session settlement ON settlement.trading_date = day.trading_date
)
SELECT forecast.account_no, forecast.trading_date, forecast.ordinal, forecast.step, forecast.settles_on,
  forecast.sells - forecast.buys + forecast.dividends AS amount, forecast.sells, forecast.buys,
  forecast.dividends, forecast.balance
FROM mart.cash_forecast forecast
JOIN latest_day day ON day.account_no = forecast.account_no AND day.trading_date = forecast.trading_date
UNION ALL BY NAME
SELECT account_no, trading_date, 0 AS ordinal, 'now' AS step, trading_date AS settles_on, 0 AS amount,
  account_balance AS balance
FROM contract_cash
UNION ALL BY NAME
SELECT account_no, trading_date, 1 AS ordinal, 'delivery' AS step, t1_date AS settles_on,
  delivery_amount AS amount, account_balance + delivery_amount AS balance
FROM contract_cash
ORDER BY account_no, ordinal
