-- grain: one row per bar of chart_bars.sql ($bars), in the order of their times, with indicators beside it
-- $columns: columns of mart.indicators; NaN where there is no number, as for bars. An index has no VWAP: its
-- value over its volume is not in points.
WITH drawn_bar AS (
  $bars
), market_index AS (
  SELECT count(*) > 0 AS is_index
  FROM market.market_index
  WHERE mart.plain_index_code(index_code) = mart.plain_index_code($symbol)
), indicator_bar AS (
  SELECT $symbol AS symbol, to_timestamp(time) AS opened_at,
    CAST(mart.exchange_time(to_timestamp(time)) AS DATE) AS trading_date,
    CASE WHEN NOT isnan(close) THEN close END AS close, CASE WHEN NOT isnan(volume) THEN volume END AS volume,
    CASE WHEN NOT isnan(value) AND NOT is_index THEN value END AS value
  FROM drawn_bar
  CROSS JOIN market_index
), indicator AS (
  FROM mart.indicators('indicator_bar', sma_length := $sma, ema_length := $ema, rsi_length := $rsi,
    band_length := $bands)
)
SELECT drawn_bar.*, $columns
FROM drawn_bar
LEFT JOIN indicator ON indicator.opened_at = to_timestamp(drawn_bar.time)
ORDER BY drawn_bar.time
