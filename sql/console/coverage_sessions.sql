-- grain: one row per session of the coverage map, the oldest first
SELECT trading_date
FROM (SELECT DISTINCT trading_date FROM market.daily_summary ORDER BY trading_date DESC LIMIT 60)
ORDER BY trading_date
