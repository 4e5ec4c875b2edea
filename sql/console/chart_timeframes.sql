-- grain: one row per timeframe of which candles of the symbol are stored
SELECT timeframe, count(*) AS bars
FROM market.candle
WHERE symbol = $symbol
GROUP BY timeframe
ORDER BY timeframe
