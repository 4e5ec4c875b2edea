-- grain: one row per 2,048 weeks or months: their JSON texts with commas between them, in the order of their
--   times
-- Raw bars exact as text, as candles.sql has them, adjusted ones as numbers, as candles_adjusted.sql.
-- trading_date is the first session of the bar.
WITH bar AS (
  SELECT row_number() OVER (ORDER BY opened_at) // 2048 AS block, opened_at,
    CAST(to_json(struct_pack(
      opened_at := strftime(opened_at AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%SZ'),
      trading_date := CAST(trading_date AS VARCHAR),
      open := CASE WHEN $adjusted THEN to_json(open_adjusted) ELSE to_json(CAST(open AS VARCHAR)) END,
      high := CASE WHEN $adjusted THEN to_json(high_adjusted) ELSE to_json(CAST(high AS VARCHAR)) END,
      low := CASE WHEN $adjusted THEN to_json(low_adjusted) ELSE to_json(CAST(low AS VARCHAR)) END,
      close := CASE WHEN $adjusted THEN to_json(close_adjusted) ELSE to_json(CAST(close AS VARCHAR)) END,
      volume := CASE WHEN $adjusted THEN to_json(volume_adjusted)
        ELSE to_json(CAST(volume AS VARCHAR)) END,
      value := CAST(value AS VARCHAR)
    )) AS VARCHAR) AS text
  FROM mart.bars_of($timeframe)
  WHERE symbol = $symbol AND trading_date BETWEEN CAST($first AS DATE) AND CAST($last AS DATE)
)
SELECT string_agg(text, ',' ORDER BY opened_at) AS texts
FROM bar
GROUP BY block
ORDER BY block
