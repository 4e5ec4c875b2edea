-- grain: one row per session of the coverage map, the oldest first
SELECT DISTINCT trading_date
FROM market.daily_summary
QUALIFY dense_rank() OVER (ORDER BY trading_date DESC) <= 60
ORDER BY trading_date
