-- grain: one row per bar of a symbol, in the order of their times
-- Numbers alone; time in seconds since 1970, UTC; NaN where there is no number. Where they are to be
-- adjusted, prices times the factors of all later ex-dates, and volume divided by them, as in
-- mart.daily_adjusted; only then do sessions become weeks and months, which begin on their first day.
WITH raw_bar AS (
  $source
), later_factor AS (
  FROM mart.adjustment_factor
  WHERE symbol = $symbol AND $adjusted
), factored_bar AS (
  SELECT raw_bar.*, coalesce(cumulative_factor, 1) AS price_factor
  FROM raw_bar
  ASOF LEFT JOIN later_factor ON raw_bar.trading_date < later_factor.ex_date
), bar AS (
  SELECT $symbol AS symbol, trading_date, opened_at, CAST(open AS DOUBLE) * price_factor AS open,
    CAST(high AS DOUBLE) * price_factor AS high, CAST(low AS DOUBLE) * price_factor AS low,
    CAST(close AS DOUBLE) * price_factor AS close, CAST(volume AS DOUBLE) / price_factor AS volume,
    CAST(value AS DOUBLE) AS value
  FROM factored_bar
), session AS (
  FROM bar WHERE $timeframe IN ('1w', '1M')
), drawn_bar AS (
  SELECT opened_at, open, high, low, close, volume, value
  FROM bar
  WHERE $timeframe NOT IN ('1w', '1M')
  UNION ALL
  SELECT mart.session_instant(period_from, 0), open, high, low, close, volume, value
  FROM mart.period_bars('session', CASE WHEN $timeframe = '1M' THEN '1M' ELSE '1w' END)
)
SELECT CAST(epoch(opened_at) AS DOUBLE) AS time, coalesce(open, 'NaN') AS open, coalesce(high, 'NaN') AS high,
  coalesce(low, 'NaN') AS low, coalesce(close, 'NaN') AS close, coalesce(volume, 'NaN') AS volume,
  coalesce(value, 'NaN') AS value
FROM drawn_bar
ORDER BY opened_at
