-- grain: one row per stock or fund and stored bar of one minute, in the order of both
-- Prices are raw, VND; minute is exchange time, the beginning of the bar. factor is that of its session in
-- mart.daily_adjusted; 1 where the session has no daily summary. $is_member as in instruments.sql.
WITH bar AS (
  SELECT symbol, trading_date, opened_at, open, high, low, close, volume
  FROM market.candle
  WHERE timeframe = '1m' AND trading_date BETWEEN $first_day AND $last_day
    AND mart.instrument_kind(symbol, NULL) IN ('stock', 'etf') AND $is_member
), day AS (
  SELECT symbol, trading_date, adjustment_factor
  FROM mart.daily_adjusted
  WHERE trading_date BETWEEN $first_day AND $last_day AND $is_member
)
SELECT bar.symbol,
  strftime(mart.exchange_time(bar.opened_at), '%Y-%m-%d %H:%M:%S') AS minute,
  CAST(bar.open AS DOUBLE) AS open,
  CAST(bar.high AS DOUBLE) AS high,
  CAST(bar.low AS DOUBLE) AS low,
  CAST(bar.close AS DOUBLE) AS close,
  CAST(bar.volume AS DOUBLE) AS volume,
  coalesce(day.adjustment_factor, 1) AS factor
FROM bar
LEFT JOIN day ON day.symbol = bar.symbol AND day.trading_date = bar.trading_date
ORDER BY bar.symbol, bar.opened_at
