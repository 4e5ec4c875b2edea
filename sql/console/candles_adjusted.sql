-- grain: one row per 2,048 bars: their JSON texts with commas between them, prices adjusted
-- Prices times the factors of all later ex-dates, volume divided by them, as in mart.daily_adjusted.
WITH bar AS (
  SELECT row_number() OVER (ORDER BY candle.opened_at) // 2048 AS block, candle.opened_at,
    coalesce(later.cumulative_factor, 1) AS price_factor,
    CAST(to_json(struct_pack(
      opened_at := strftime(candle.opened_at AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%SZ'),
      trading_date := CAST(candle.trading_date AS VARCHAR),
      open := CAST(candle.open AS DOUBLE) * price_factor, high := CAST(candle.high AS DOUBLE) * price_factor,
      low := CAST(candle.low AS DOUBLE) * price_factor, close := CAST(candle.close AS DOUBLE) * price_factor,
      volume := candle.volume / price_factor, value := CAST(candle.value AS VARCHAR)
    )) AS VARCHAR) AS text
  FROM market.candle candle
  LEFT JOIN mart.adjustment_factor later ON later.symbol = candle.symbol
    AND candle.trading_date >= later.applies_from AND candle.trading_date < later.ex_date
  WHERE candle.symbol = $symbol AND candle.timeframe = $timeframe
    AND candle.trading_date BETWEEN CAST($first AS DATE) AND CAST($last AS DATE)
)
SELECT string_agg(text, ',' ORDER BY opened_at) AS texts
FROM bar
GROUP BY block
ORDER BY block
