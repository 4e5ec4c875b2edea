-- grain: one row per minute of exchange time from $first_day to $last_day in which a bar of one minute begins
SELECT DISTINCT strftime(mart.exchange_time(opened_at), '%Y-%m-%d %H:%M:%S') AS minute
FROM market.candle
WHERE timeframe = '1m' AND trading_date BETWEEN $first_day AND $last_day
ORDER BY minute
