-- grain: one row per session of the symbol: its limits, and what foreign investors bought less what they sold
-- Raw prices, with the factor that adjusts them. As in mart.foreign_flow, whose sums over sessions would read
-- the figures of the whole market.
WITH day AS (
  SELECT trading_date, ceiling, floor, ref_price, close,
    CAST(total_foreign_buy_value AS DOUBLE) - CAST(total_foreign_sell_value AS DOUBLE) AS foreign_net_value
  FROM mart.daily
  WHERE symbol = $symbol
), later_factor AS (
  FROM mart.adjustment_factor
  WHERE symbol = $symbol
)
SELECT day.*, coalesce(cumulative_factor, 1) AS price_factor
FROM day
ASOF LEFT JOIN later_factor ON day.trading_date < later_factor.ex_date
ORDER BY trading_date
