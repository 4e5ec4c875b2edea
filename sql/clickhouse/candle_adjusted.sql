-- grain: one row per symbol, timeframe and opened_at: bars with prices times the factors of all later
--   ex-dates, and volume divided by them, as mart.daily_adjusted
CREATE OR REPLACE VIEW mart.candle_adjusted$on_cluster AS
SELECT bar.symbol AS symbol, bar.timeframe AS timeframe, bar.opened_at AS opened_at,
  bar.session AS trading_date, coalesce(later.cumulative_factor, 1) AS adjustment_factor,
  toFloat64(bar.open) * adjustment_factor AS open_adjusted,
  toFloat64(bar.high) * adjustment_factor AS high_adjusted,
  toFloat64(bar.low) * adjustment_factor AS low_adjusted,
  toFloat64(bar.close) * adjustment_factor AS close_adjusted,
  bar.volume / adjustment_factor AS volume_adjusted, bar.value AS value
FROM (
  SELECT assumeNotNull(symbol) AS symbol, timeframe, opened_at, assumeNotNull(trading_date) AS session,
    open, high, low, close, volume, value
  FROM market.candle_all
) AS bar
ASOF LEFT JOIN (
  SELECT assumeNotNull(symbol) AS symbol, assumeNotNull(ex_date) AS ex_date, cumulative_factor
  FROM mart.adjustment_factor
) AS later ON later.symbol = bar.symbol AND bar.session < later.ex_date;
