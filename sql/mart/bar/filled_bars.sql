-- grain: one row per symbol, session that has a 1m bar (mart.intraday), and bar of the regular grid
-- of_timeframe: one timeframe as text, as for mart.session_bars; bars are counted as there. The grid is
-- continuous trading and the minute in which the closing auction matches. What trades off it is reported
-- where it belongs: a bar at 11:30 or 14:30 with the last minute of its phase, what is in the opening
-- auction's minutes where continuous trading begins, the closing auction's at its match. After hours (plo)
-- and minutes outside every phase have no place on it. A symbol whose board is not known has no grid, and no
-- rows.
-- first_session and last_session read these sessions alone, also where a query returns them: a condition on
-- the rows reads all sessions, unless it is a date as written. A condition on one symbol reads its bars
-- alone, one on several (IN) those of all: DuckDB 1.5 hands only equality to the other side of a left join.
-- All symbols of six sessions, 2.4 million rows of 1m: 1.6 CPU-seconds per million at a load of 20. Putting
-- bars of one slot together takes 0.4 of these, filling the gaps 0.4, reading and joining the rest. Slots of
-- one minute need the former too: two bars of a minute are not refused (seconds). Integers as keys or cheaper
-- aggregates save 0.1 at most.
CREATE OR REPLACE MACRO mart.filled_bars(of_timeframe, first_session := DATE '0001-01-01',
  last_session := DATE '9999-12-31') AS TABLE
WITH minute_slot AS (
  SELECT board, valid_from, valid_to, minute, phase, is_regular,
    CASE
      WHEN last_minute IS NOT NULL
        THEN mart.phase_slot(minute, anchor, last_minute, mart.timeframe_minutes(of_timeframe))
      ELSE auction_minute
    END AS slot
  FROM mart.day_minute
), regular_slot AS (
  SELECT board, valid_from, valid_to, slot, min(phase) AS phase FROM minute_slot WHERE is_regular
  GROUP BY board, valid_from, valid_to, slot
), listed_board AS (
  SELECT symbol, mart.trading_board(symbol, board) AS board FROM market.security
), symbol_session AS (
  SELECT intraday.symbol, intraday.trading_date, coalesce(intraday.board, listed_board.board) AS board
  FROM mart.intraday intraday
  LEFT JOIN listed_board ON listed_board.symbol = intraday.symbol
  WHERE intraday.trading_date BETWEEN first_session AND last_session
), slot_bar AS (
  SELECT candle.symbol, candle.trading_date, minute_slot.slot,
    arg_min(candle.open, candle.opened_at) AS open, max(candle.high) AS high, min(candle.low) AS low,
    arg_max(candle.close, candle.opened_at) AS close,
    TRY_CAST(sum(candle.volume) AS BIGINT) AS volume, TRY_CAST(sum(candle.value) AS DECIMAL(18,2)) AS value
  FROM market.candle candle
  JOIN symbol_session
    ON symbol_session.symbol = candle.symbol AND symbol_session.trading_date = candle.trading_date
  JOIN minute_slot
    ON minute_slot.board = symbol_session.board
      AND minute_slot.minute = mart.exchange_minute(candle.opened_at)
    AND candle.trading_date BETWEEN minute_slot.valid_from AND minute_slot.valid_to
  WHERE candle.timeframe = '1m' AND candle.trading_date BETWEEN first_session AND last_session
  GROUP BY candle.symbol, candle.trading_date, minute_slot.slot
), filled_slot AS (
  SELECT symbol_session.symbol, symbol_session.trading_date, regular_slot.slot, regular_slot.phase,
    slot_bar.slot IS NULL AS is_filled,
    slot_bar.open, slot_bar.high, slot_bar.low, slot_bar.close, slot_bar.volume, slot_bar.value,
    last_value(CASE WHEN slot_bar.close > 0 THEN slot_bar.close END IGNORE NULLS) OVER (
      PARTITION BY symbol_session.symbol,
      symbol_session.trading_date ORDER BY regular_slot.slot ROWS UNBOUNDED PRECEDING) AS last_close
  FROM symbol_session
  JOIN regular_slot
    ON regular_slot.board = symbol_session.board
      AND symbol_session.trading_date BETWEEN regular_slot.valid_from AND regular_slot.valid_to
  LEFT JOIN slot_bar
    ON slot_bar.symbol = symbol_session.symbol AND slot_bar.trading_date = symbol_session.trading_date
      AND slot_bar.slot = regular_slot.slot
)
SELECT symbol, of_timeframe AS timeframe, trading_date,
  mart.session_instant(trading_date, slot) AS opened_at,
  mart.exchange_time(mart.session_instant(trading_date, slot)) AS exchange_time,
  phase,
  CASE WHEN is_filled THEN last_close ELSE open END AS open,
  CASE WHEN is_filled THEN last_close ELSE high END AS high,
  CASE WHEN is_filled THEN last_close ELSE low END AS low,
  CASE WHEN is_filled THEN last_close ELSE close END AS close,
  CASE WHEN is_filled THEN 0 ELSE volume END AS volume,
  CASE WHEN is_filled THEN 0 ELSE value END AS value,
  is_filled
FROM filled_slot;
COMMENT ON MACRO TABLE mart.filled_bars IS
  'The regular grid of a timeframe, as text (1m, 5m, 30m), with gaps carried forward: columns as in '
  'mart.candle_filled. first_session and last_session read these sessions alone.';
