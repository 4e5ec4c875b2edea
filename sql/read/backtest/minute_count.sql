-- grain: one row: the stored bars of one minute of a range
SELECT count(*) AS bars
FROM market.candle
WHERE timeframe = '1m' AND trading_date BETWEEN $first_day AND $last_day
