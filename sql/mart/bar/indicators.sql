-- grain: one row per symbol and bar with a close, of the relation that is given
-- bars: name of a relation, or of a common table expression of the statement, of one timeframe: symbol,
-- trading_date, opened_at, close, volume, value (mart.bars_of has them; give close_adjusted as close and
-- volume_adjusted as volume for adjusted prices). A bar counts as one step, whatever time lies before it:
-- gaps are not bars. Everything is null until there are enough bars.
-- sma: mean of the last sma_length closes.
-- ema: of weight 2 / (ema_length + 1), begun with the mean of the first ema_length closes.
-- rsi: Wilder's; mean gain over mean gain and mean loss, in percent, begun with the means of the first
-- rsi_length changes and smoothed with weight 1 / rsi_length; null where nothing has changed.
-- band_...: Bollinger; mean of band_length closes, and band_width standard deviations (of a population)
-- around it.
-- vwap: value over volume (x multiplier) since the session of the bar began; of days and longer bars, of the
-- bar.
-- A smoothed value is a sum whose weights fall by one factor per bar. In a block of bars in which they fall
-- to 1e-30 it is a running sum of quotients, and the block before adds the rest: 0.1 CPU-seconds for 20,000
-- bars, where a recursive statement for the ema alone takes 4.9 (DuckDB 1.5). The mean that it begins with
-- is spread over the first bars, and factors are constants of the statement: every column of a window costs.
CREATE OR REPLACE MACRO mart.indicators(bars, sma_length := 20, ema_length := 20, rsi_length := 14,
  band_length := 20, band_width := 2) AS TABLE
WITH checked_length AS (
  SELECT CASE WHEN least(sma_length, ema_length, rsi_length, band_length) < 2
    THEN CAST(error('lengths of indicators begin with 2') AS BOOLEAN) ELSE true END AS is_enough
), given_bar AS (
  SELECT symbol, trading_date, opened_at, CAST(close AS DOUBLE) AS price, CAST(volume AS DOUBLE) AS volume,
    CAST(value AS DOUBLE) AS value
  FROM query_table(bars)
  WHERE close > 0 AND (SELECT is_enough FROM checked_length)
), numbered_bar AS (
  SELECT *, row_number() OVER steps AS bar_number, price - lag(price) OVER steps AS change,
    avg(price) OVER sma_bars AS sma_mean, avg(price) OVER band_bars AS band_mean,
    stddev_pop(price) OVER band_bars AS band_deviation
  FROM given_bar
  WINDOW steps AS (PARTITION BY symbol ORDER BY opened_at),
    sma_bars AS (PARTITION BY symbol ORDER BY opened_at
      ROWS BETWEEN (sma_length - 1) PRECEDING AND CURRENT ROW),
    band_bars AS (PARTITION BY symbol ORDER BY opened_at
      ROWS BETWEEN (band_length - 1) PRECEDING AND CURRENT ROW)
), stepped_bar AS (
  SELECT *, (bar_number - 1) % mart.smoothing_block(mart.ema_decay(ema_length)) AS ema_step,
    (bar_number - 1) % mart.smoothing_block(mart.wilder_decay(rsi_length)) AS rsi_step
  FROM numbered_bar
), weighted_bar AS (
  -- by the weight at the beginning of the block: the first bars of all weigh the same when the mean is whole
  SELECT *,
    price * CASE
      WHEN bar_number <= ema_length THEN 1 / ema_length / mart.ema_decay(ema_length) ** (ema_length - 1)
      ELSE (1 - mart.ema_decay(ema_length)) / mart.ema_decay(ema_length) ** ema_step
    END AS price_part,
    CASE
      WHEN bar_number <= rsi_length + 1 THEN 1 / rsi_length / mart.wilder_decay(rsi_length) ** rsi_length
      ELSE (1 - mart.wilder_decay(rsi_length)) / mart.wilder_decay(rsi_length) ** rsi_step
    END AS change_weight,
    change_weight * greatest(change, 0) AS gain_part, change_weight * greatest(-change, 0) AS loss_part
  FROM stepped_bar
), block_sum AS (
  SELECT *, sum(price_part) OVER ema_block AS price_sum, sum(price_part) OVER ema_before AS price_before,
    sum(gain_part) OVER rsi_block AS gain_sum, sum(gain_part) OVER rsi_before AS gain_before,
    sum(loss_part) OVER rsi_block AS loss_sum, sum(loss_part) OVER rsi_before AS loss_before
  FROM weighted_bar
  WINDOW ema_block AS (PARTITION BY symbol ORDER BY bar_number
      ROWS BETWEEN ema_step PRECEDING AND CURRENT ROW),
    ema_before AS (PARTITION BY symbol ORDER BY bar_number
      ROWS BETWEEN (ema_step + mart.smoothing_block(mart.ema_decay(ema_length))) PRECEDING
        AND (ema_step + 1) PRECEDING),
    rsi_block AS (PARTITION BY symbol ORDER BY bar_number
      ROWS BETWEEN rsi_step PRECEDING AND CURRENT ROW),
    rsi_before AS (PARTITION BY symbol ORDER BY bar_number
      ROWS BETWEEN (rsi_step + mart.smoothing_block(mart.wilder_decay(rsi_length))) PRECEDING
        AND (rsi_step + 1) PRECEDING)
), smoothed_bar AS (
  SELECT *, mart.smoothed(price_sum, price_before, mart.ema_decay(ema_length), ema_step) AS smoothed_price,
    mart.smoothed(gain_sum, gain_before, mart.wilder_decay(rsi_length), rsi_step) AS smoothed_gain,
    mart.smoothed(loss_sum, loss_before, mart.wilder_decay(rsi_length), rsi_step) AS smoothed_loss
  FROM block_sum
)
SELECT symbol, trading_date, opened_at, bar_number,
  CASE WHEN bar_number >= sma_length THEN sma_mean END AS sma,
  CASE WHEN bar_number >= ema_length THEN smoothed_price END AS ema,
  CASE WHEN bar_number > rsi_length
    THEN 100 * smoothed_gain / nullif(smoothed_gain + smoothed_loss, 0) END AS rsi,
  CASE WHEN bar_number >= band_length THEN band_mean END AS band_middle,
  band_middle + band_width * band_deviation AS band_upper,
  band_middle - band_width * band_deviation AS band_lower,
  sum(value) OVER session_bars / nullif(sum(volume) OVER session_bars * mart.multiplier(symbol), 0) AS vwap
FROM smoothed_bar
WINDOW session_bars AS (PARTITION BY symbol, trading_date ORDER BY bar_number);
COMMENT ON MACRO TABLE mart.indicators IS
  'Moving averages (sma, ema), RSI (Wilder), Bollinger bands and VWAP of the bars of a relation that is '
  'given by name, with lengths of your own.';
