-- grain: one row per 2,048 bars: their JSON texts with commas between them, in the order of their times
WITH bar AS (
  SELECT row_number() OVER (ORDER BY opened_at) // 2048 AS block, opened_at,
    CAST(to_json(struct_pack(
      opened_at := strftime(opened_at AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%SZ'),
      trading_date := CAST(trading_date AS VARCHAR),
      open := CAST(open AS VARCHAR), high := CAST(high AS VARCHAR), low := CAST(low AS VARCHAR),
      close := CAST(close AS VARCHAR), volume := CAST(volume AS VARCHAR), value := CAST(value AS VARCHAR)
    )) AS VARCHAR) AS text
  FROM market.candle
  WHERE symbol = $symbol AND timeframe = $timeframe
    AND trading_date BETWEEN CAST($first AS DATE) AND CAST($last AS DATE)
)
SELECT string_agg(text, ',' ORDER BY opened_at) AS texts
FROM bar
GROUP BY block
ORDER BY block
