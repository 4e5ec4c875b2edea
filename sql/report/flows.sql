-- grain: one row per session of the last 20: net buying of foreign investors and of proprietary desks, VND
WITH foreign_session AS (
  SELECT trading_date,
    sum(CAST(total_foreign_buy_value - total_foreign_sell_value AS DOUBLE)) AS foreign_net
  FROM market.daily_summary
  WHERE trading_date <= $session AND trading_date > $session - INTERVAL 45 DAY
    AND mart.instrument_kind(symbol, NULL) IN ('stock', 'etf')
  GROUP BY trading_date
), proprietary_session AS (
  SELECT trading_date, sum(CAST(total_prop_buy_value - total_prop_sell_value AS DOUBLE)) AS proprietary_net
  FROM market.index_summary
  WHERE trading_date <= $session AND trading_date > $session - INTERVAL 45 DAY
    AND mart.board_of_index(index_code) IS NOT NULL
  GROUP BY trading_date
)
SELECT trading_date, foreign_net, proprietary_net
FROM foreign_session
LEFT JOIN proprietary_session USING (trading_date)
ORDER BY trading_date DESC
LIMIT 20;
