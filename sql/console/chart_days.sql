-- grain: one row per session of the symbol: its limits, and what foreign investors bought less what they sold
-- As in mart.foreign_flow, whose sums over sessions would read the figures of the whole market.
SELECT trading_date, ceiling, floor, ref_price, close,
  CAST(total_foreign_buy_value AS DOUBLE) - CAST(total_foreign_sell_value AS DOUBLE) AS foreign_net_value
FROM mart.daily
WHERE symbol = $symbol AND trading_date >= CAST($first AS DATE)
ORDER BY trading_date
