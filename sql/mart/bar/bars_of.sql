-- grain: one row per symbol and bar of a timeframe, of which there is a trade
-- bar_timeframe: 1m, 3m, 5m, 15m, 30m, 1h (market.candle; others: mart.session_bars), 1d, 1w or 1M
-- (mart.period_bars of daily summaries, which begin on their first day, a Monday or the 1st). Prices raw and
-- adjusted; adjusted ones and volume_adjusted by the factors of all later ex-dates, as in
-- mart.daily_adjusted, before sessions become weeks. Ask for one symbol or for a few sessions: bars within a
-- session are many. A session in which nothing matched has no bar, as in market.candle: services repeat its
-- last close, with zeros or nothing for the other prices.
CREATE OR REPLACE MACRO mart.bars_of(bar_timeframe) AS TABLE
WITH asked AS (
  SELECT CASE
    WHEN bar_timeframe IN ('1m', '3m', '5m', '15m', '30m', '1h', '1d', '1w', '1M')
      THEN bar_timeframe
    ELSE error('no timeframe of bars: ' || coalesce(bar_timeframe, 'NULL'))
  END AS timeframe
), session_bar AS (
  -- a day is its session: grouped like weeks, no filter on trading_date would reach the summaries
  SELECT symbol, '1d' AS timeframe, trading_date, open, high, low, close, total_match AS volume,
    CAST(total_match_value AS DECIMAL(24,4)) AS value, open_adjusted, high_adjusted, low_adjusted,
    close_adjusted, total_match_adjusted AS volume_adjusted
  FROM mart.daily_adjusted
  WHERE bar_timeframe = '1d' AND close > 0 AND total_match IS DISTINCT FROM 0
), raw_session AS (
  SELECT symbol, trading_date, open, high, low, close, CAST(total_match AS DOUBLE) AS volume,
    total_match_value AS value
  FROM mart.daily_adjusted
  WHERE bar_timeframe IN ('1w', '1M')
), adjusted_session AS (
  SELECT symbol, trading_date, open_adjusted AS open, high_adjusted AS high, low_adjusted AS low,
    close_adjusted AS close, total_match_adjusted AS volume, total_match_value AS value
  FROM mart.daily_adjusted
  WHERE bar_timeframe IN ('1w', '1M')
), raw_period AS (
  FROM mart.period_bars('raw_session',
    CASE WHEN bar_timeframe IN ('1w', '1M') THEN bar_timeframe ELSE '1w' END)
), adjusted_period AS (
  FROM mart.period_bars('adjusted_session',
    CASE WHEN bar_timeframe IN ('1w', '1M') THEN bar_timeframe ELSE '1w' END)
), factored_candle AS (
  SELECT candle.*, coalesce(later.cumulative_factor, 1) AS price_factor
  FROM market.candle candle
  LEFT JOIN mart.adjustment_factor later ON later.symbol = candle.symbol
    AND candle.trading_date >= later.applies_from AND candle.trading_date < later.ex_date
  -- the timeframe itself is a constant while planning: only its branch of the view is read, and no bars for
  -- sessions
  WHERE coalesce(bar_timeframe, '') NOT IN ('1d', '1w', '1M')
    AND candle.timeframe = coalesce(bar_timeframe, '')
    AND (SELECT timeframe FROM asked) IS NOT NULL
)
SELECT raw_period.symbol, raw_period.timeframe, raw_period.trading_date, raw_period.last_session,
  raw_period.sessions, mart.session_instant(raw_period.period_from, 0) AS opened_at, raw_period.open,
  raw_period.high, raw_period.low, raw_period.close, CAST(raw_period.volume AS BIGINT) AS volume,
  CAST(raw_period.value AS DECIMAL(24,4)) AS value, adjusted_period.open AS open_adjusted,
  adjusted_period.high AS high_adjusted, adjusted_period.low AS low_adjusted,
  adjusted_period.close AS close_adjusted, adjusted_period.volume AS volume_adjusted
FROM raw_period
JOIN adjusted_period ON adjusted_period.symbol = raw_period.symbol
  AND adjusted_period.period_from = raw_period.period_from
UNION ALL
SELECT symbol, timeframe, trading_date, trading_date, 1, mart.session_instant(trading_date, 0), open, high,
  low, close, volume, value, open_adjusted, high_adjusted, low_adjusted, close_adjusted, volume_adjusted
FROM session_bar
UNION ALL
SELECT symbol, timeframe, trading_date, trading_date, 1, opened_at, open, high, low, close, volume, value,
  CAST(open AS DOUBLE) * price_factor, CAST(high AS DOUBLE) * price_factor,
  CAST(low AS DOUBLE) * price_factor, CAST(close AS DOUBLE) * price_factor, volume / price_factor
FROM factored_candle;
COMMENT ON MACRO TABLE mart.bars_of IS
  'Bars of all symbols in one timeframe, from 1m to 1w and 1M, raw and adjusted; last_session and sessions '
  'say what a bar of a week or month is made of.';
