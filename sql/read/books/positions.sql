-- grain: one row per complete snapshot of one account, $account, and symbol of shares that it reports
-- cost: quantity at the average price that the service reports, VND.
SELECT CAST(day.trading_date AS VARCHAR) AS trading_date, position.symbol,
  CAST(position.quantity AS DOUBLE) AS quantity,
  CAST(position.quantity AS DOUBLE) * CAST(position.cost_price AS DOUBLE) AS cost
FROM mart.account_day day
JOIN account.equity_position position
  ON position.snapshot_id = day.snapshot_id AND position.account_no = day.account_no
WHERE day.account_no = $account AND position.quantity IS NOT NULL
ORDER BY day.trading_date, position.symbol;
