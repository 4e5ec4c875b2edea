-- grain: one row per session of the symbol: its limits, what foreign investors traded, its volume
SELECT day.trading_date, day.ceiling, day.floor, day.ref_price, day.close, day.total_match,
  flow.net_value AS foreign_net_value, flow.net_volume AS foreign_net_volume, flow.room_used
FROM mart.daily day
LEFT JOIN mart.foreign_flow flow ON flow.symbol = day.symbol AND flow.trading_date = day.trading_date
WHERE day.symbol = $symbol AND day.trading_date BETWEEN CAST($first AS DATE) AND CAST($last AS DATE)
ORDER BY day.trading_date
