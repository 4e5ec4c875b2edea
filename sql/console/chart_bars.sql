-- grain: one row: the bars of a symbol as one JSON object of columns, in the order of their times
-- Columns instead of objects: a year of minutes is a third of the text. Prices as they were received.
-- opened_at in seconds since 1970, UTC; value of the last 300 bars only, which the page's table shows.
WITH bar AS (
  FROM market.candle
  WHERE symbol = $symbol AND timeframe = $timeframe AND trading_date >= CAST($first AS DATE)
  ORDER BY opened_at
)
SELECT to_json(struct_pack(
  opened_at := list(CAST(epoch(opened_at) AS BIGINT)),
  open := list(CAST(open AS DOUBLE)), high := list(CAST(high AS DOUBLE)),
  low := list(CAST(low AS DOUBLE)), close := list(CAST(close AS DOUBLE)),
  volume := list(CAST(volume AS DOUBLE)), value := list(CAST(value AS DOUBLE))[-300:]
)) AS columns
FROM bar
