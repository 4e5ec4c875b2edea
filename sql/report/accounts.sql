-- grain: one row per account and trading date of the last 60 days with a snapshot, up to the day
-- A catalog that an earlier version published has no column key_name: its rows are of the only key there was.
WITH account_day AS (
  SELECT * FROM (SELECT NULL::VARCHAR AS key_name LIMIT 0)
  UNION ALL BY NAME
  SELECT * FROM mart.account_day
), curve AS (
  -- nor priced_on
  SELECT * FROM (SELECT NULL::DATE AS priced_on LIMIT 0)
  UNION ALL BY NAME
  SELECT * FROM mart.account_equity_curve
)
SELECT curve.account_no, curve.account_type, trading_date, curve.state, curve.missing, curve.before_of,
  net_cash, position_value, net_asset_value, total_equity, total_debt, priced_on, change, price_gain,
  unexplained_cash, costs_most, income_most, CAST(unexplained_positions AS DOUBLE) AS unexplained_positions,
  return_without_flows, coalesce(account_day.key_name, 'default') AS key_name
FROM curve
JOIN account_day USING (account_no, trading_date)
WHERE trading_date <= $day AND trading_date > $day - INTERVAL 90 DAY
QUALIFY row_number() OVER (PARTITION BY account_no ORDER BY trading_date DESC) <= 60
ORDER BY account_no, trading_date;
