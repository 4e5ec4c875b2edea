-- grain: one row per stock or fund and stored bar of one minute, in the order of both
-- Prices are raw, VND; minute is exchange time, the beginning of the bar. factor is that of its session, as
-- mart.daily_adjusted has it: of all later events, also where the session has no daily summary. $is_member as
-- in instruments.sql.
WITH bar AS (
  SELECT symbol, trading_date, opened_at, open, high, low, close, volume
  FROM market.candle
  WHERE timeframe = '1m' AND trading_date BETWEEN $first_day AND $last_day
    AND mart.instrument_kind(symbol, NULL) IN ('stock', 'etf') AND $is_member
)
SELECT bar.symbol,
  strftime(mart.exchange_time(bar.opened_at), '%Y-%m-%d %H:%M:%S') AS minute,
  CAST(bar.open AS DOUBLE) AS open,
  CAST(bar.high AS DOUBLE) AS high,
  CAST(bar.low AS DOUBLE) AS low,
  CAST(bar.close AS DOUBLE) AS close,
  CAST(bar.volume AS DOUBLE) AS volume,
  coalesce(later.cumulative_factor, 1) AS factor
FROM bar
LEFT JOIN mart.adjustment_factor later ON later.symbol = bar.symbol
  AND bar.trading_date >= later.applies_from AND bar.trading_date < later.ex_date
ORDER BY bar.symbol, bar.opened_at
