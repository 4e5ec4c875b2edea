-- grain: one row per account and trading date of the last 60 days with a snapshot, up to the day
SELECT account_no, account_type, trading_date, state, missing, before_of, net_cash, position_value,
  net_asset_value, total_equity, total_debt, change, price_gain, unexplained_cash, costs_most, income_most,
  CAST(unexplained_positions AS DOUBLE) AS unexplained_positions, return_without_flows
FROM mart.account_equity_curve
WHERE trading_date <= $day AND trading_date > $day - INTERVAL 90 DAY
QUALIFY row_number() OVER (PARTITION BY account_no ORDER BY trading_date DESC) <= 60
ORDER BY account_no, trading_date;
