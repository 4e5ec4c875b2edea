-- grain: one row per symbol, session that has a 1m bar (mart.intraday), and bar of the regular grid
-- of_timeframe: one timeframe as text, as for mart.session_bars; bars are counted as there.
-- The grid is continuous trading and the minute in which the closing auction matches. What trades off it is told where it
-- belongs: a bar at 11:30 or 14:30 with the last minute of its phase, what stands in the opening auction's minutes where
-- continuous trading begins, the closing auction's at its match. After hours (plo) and minutes outside every phase have no
-- place on it. A symbol whose board is not known has no grid, and no rows.
CREATE OR REPLACE MACRO mart.filled_bars(of_timeframe) AS TABLE
WITH slotted AS (
  SELECT board, valid_from, valid_to, minute, phase, is_regular,
    CASE
      WHEN last_minute IS NOT NULL
        THEN mart.phase_slot(minute, anchor, last_minute, mart.timeframe_minutes(of_timeframe))
      ELSE auction_minute
    END AS slot
  FROM mart.day_minute
), regular AS (
  SELECT board, valid_from, valid_to, slot, min(phase) AS phase FROM slotted WHERE is_regular
  GROUP BY board, valid_from, valid_to, slot
), listed AS (
  SELECT symbol, mart.trading_board(symbol, board) AS board FROM market.security
), held AS (
  SELECT intraday.symbol, intraday.trading_date, coalesce(intraday.board, listed.board) AS board
  FROM mart.intraday intraday
  LEFT JOIN listed ON listed.symbol = intraday.symbol
), bar AS (
  SELECT candle.symbol, candle.trading_date, slotted.slot,
    arg_min(candle.open, candle.opened_at) AS open, max(candle.high) AS high, min(candle.low) AS low,
    arg_max(candle.close, candle.opened_at) AS close,
    TRY_CAST(sum(candle.volume) AS BIGINT) AS volume, TRY_CAST(sum(candle.value) AS DECIMAL(18,2)) AS value
  FROM market.candle candle
  JOIN held ON held.symbol = candle.symbol AND held.trading_date = candle.trading_date
  JOIN slotted ON slotted.board = held.board AND slotted.minute = mart.exchange_minute(candle.opened_at)
    AND candle.trading_date BETWEEN slotted.valid_from AND slotted.valid_to
  WHERE candle.timeframe = '1m'
  GROUP BY candle.symbol, candle.trading_date, slotted.slot
), carried AS (
  SELECT held.symbol, held.trading_date, regular.slot, regular.phase, bar.slot IS NULL AS is_filled,
    bar.open, bar.high, bar.low, bar.close, bar.volume, bar.value,
    last_value(CASE WHEN bar.close > 0 THEN bar.close END IGNORE NULLS) OVER (
      PARTITION BY held.symbol, held.trading_date ORDER BY regular.slot ROWS UNBOUNDED PRECEDING) AS last_close
  FROM held
  JOIN regular ON regular.board = held.board AND held.trading_date BETWEEN regular.valid_from AND regular.valid_to
  LEFT JOIN bar ON bar.symbol = held.symbol AND bar.trading_date = held.trading_date AND bar.slot = regular.slot
)
SELECT symbol, of_timeframe AS timeframe, trading_date,
  mart.session_instant(trading_date, slot) AS opened_at, mart.exchange_time(mart.session_instant(trading_date, slot)) AS exchange_time,
  phase,
  CASE WHEN is_filled THEN last_close ELSE open END AS open,
  CASE WHEN is_filled THEN last_close ELSE high END AS high,
  CASE WHEN is_filled THEN last_close ELSE low END AS low,
  CASE WHEN is_filled THEN last_close ELSE close END AS close,
  CASE WHEN is_filled THEN 0 ELSE volume END AS volume,
  CASE WHEN is_filled THEN 0 ELSE value END AS value,
  is_filled
FROM carried;
COMMENT ON MACRO TABLE mart.filled_bars IS 'The regular grid of a timeframe, as text (1m, 5m, 30m), with gaps carried forward: columns as in mart.candle_filled.';
