-- grain: one row per stored candle of a symbol and a timeframe below a day
SELECT trading_date, opened_at, open, high, low, close, volume, value
FROM market.candle
WHERE symbol = $symbol AND timeframe = $timeframe
