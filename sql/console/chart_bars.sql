-- grain: one row per bar of a symbol, in the order of their times
-- Numbers alone; time in seconds since 1970, UTC; NaN where there is no number. Where they are to be
-- adjusted, prices times the factors of all later ex-dates, and volume divided by them, as in
-- mart.daily_adjusted.
WITH raw_bar AS (
  $source
), later_factor AS (
  FROM mart.adjustment_factor
  WHERE symbol = $symbol AND $adjusted
), bar AS (
  SELECT opened_at, open, high, low, close, volume, value, coalesce(cumulative_factor, 1) AS price_factor
  FROM raw_bar
  ASOF LEFT JOIN later_factor ON raw_bar.trading_date < later_factor.ex_date
)
SELECT CAST(epoch(opened_at) AS DOUBLE) AS time,
  coalesce(CAST(open AS DOUBLE) * price_factor, 'NaN') AS open,
  coalesce(CAST(high AS DOUBLE) * price_factor, 'NaN') AS high,
  coalesce(CAST(low AS DOUBLE) * price_factor, 'NaN') AS low,
  coalesce(CAST(close AS DOUBLE) * price_factor, 'NaN') AS close,
  coalesce(CAST(volume AS DOUBLE) / price_factor, 'NaN') AS volume,
  coalesce(CAST(value AS DOUBLE), 'NaN') AS value
FROM bar
ORDER BY opened_at
