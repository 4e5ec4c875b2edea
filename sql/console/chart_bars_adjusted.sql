-- grain: one row: the bars of a symbol as one JSON object of columns, adjusted, in the order of their times
-- As chart_bars; prices times the factors of all later ex-dates, volume divided by them, as in
-- mart.daily_adjusted.
WITH raw_bar AS (
  FROM market.candle
  WHERE symbol = $symbol AND timeframe = $timeframe AND trading_date >= CAST($first AS DATE)
), later_factor AS (
  FROM mart.adjustment_factor
  WHERE symbol = $symbol
), bar AS (
  SELECT opened_at, open, high, low, close, volume, value, coalesce(cumulative_factor, 1) AS price_factor
  FROM raw_bar
  ASOF LEFT JOIN later_factor ON raw_bar.trading_date < later_factor.ex_date
  ORDER BY opened_at
)
SELECT to_json(struct_pack(
  opened_at := list(CAST(epoch(opened_at) AS BIGINT)),
  open := list(CAST(open AS DOUBLE) * price_factor), high := list(CAST(high AS DOUBLE) * price_factor),
  low := list(CAST(low AS DOUBLE) * price_factor), close := list(CAST(close AS DOUBLE) * price_factor),
  volume := list(CAST(volume AS DOUBLE) / price_factor), value := list(CAST(value AS DOUBLE))[-300:]
)) AS columns
FROM bar
