-- grain: one row per account and symbol held on its latest trading date up to the day
-- A catalog that an earlier version published has no column is_current.
WITH position_value AS (
  SELECT * FROM (SELECT NULL::BOOLEAN AS is_current LIMIT 0)
  UNION ALL BY NAME
  SELECT * FROM mart.position_value
)
SELECT account_no, trading_date, symbol, CAST(quantity AS DOUBLE) AS quantity,
  CAST(average_price AS DOUBLE) AS average_price, CAST(price AS DOUBLE) AS price, priced_on,
  is_current, market_value, unrealised_pnl, weight, CAST(dividend_quantity AS DOUBLE) AS dividend_quantity
FROM position_value
WHERE trading_date <= $day AND trading_date > $day - INTERVAL 90 DAY
QUALIFY trading_date = max(trading_date) OVER (PARTITION BY account_no)
ORDER BY account_no, abs(market_value) DESC NULLS LAST, symbol;
