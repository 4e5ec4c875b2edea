-- grain: one row per bar of a symbol, in the order of their times
-- Numbers alone, prices as they were received; time in seconds since 1970, UTC; NaN where there is no number.
SELECT CAST(epoch(opened_at) AS DOUBLE) AS time,
  coalesce(CAST(open AS DOUBLE), 'NaN') AS open, coalesce(CAST(high AS DOUBLE), 'NaN') AS high,
  coalesce(CAST(low AS DOUBLE), 'NaN') AS low, coalesce(CAST(close AS DOUBLE), 'NaN') AS close,
  coalesce(CAST(volume AS DOUBLE), 'NaN') AS volume, coalesce(CAST(value AS DOUBLE), 'NaN') AS value
FROM market.candle
WHERE symbol = $symbol AND timeframe = $timeframe AND trading_date >= CAST($first AS DATE)
ORDER BY opened_at
