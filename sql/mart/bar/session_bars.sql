-- grain: one row per symbol, timeframe and opened_at: bars of the session, made from 1m bars
-- of_timeframe: any number of minutes or hours, as text ('7m', '45m', '2h'); several between commas
-- ('5m,15m'). Bars are counted from where the phase begins, not by the clock (market.candle's derived
-- timeframes are), so that none bridges lunch or contains an auction and other hours: on HOSE the first 1h
-- bar is 09:15-10:14. The last bar of a phase is shorter where the phase is not a multiple of the timeframe.
-- A bar labelled with the phase's end (11:30, 14:30) belongs to its last bar; opening auction, closing
-- auction and after hours are one bar each; what no phase has is phase 'outside', counted by the clock
-- (mart.day_minute). For '1m' every bar is itself. The board is that of the day (mart.intraday), else that of
-- the security list; without either everything is outside.
CREATE OR REPLACE MACRO mart.session_bars(of_timeframe) AS TABLE
WITH bar_length AS (
  SELECT timeframe, mart.timeframe_minutes(timeframe) AS length
  FROM (SELECT unnest(string_split(of_timeframe, ',')) AS timeframe)
), listed_board AS (
  SELECT symbol, mart.trading_board(symbol, board) AS board FROM market.security
), bar AS (
  SELECT symbol, trading_date, opened_at, epoch_ms(opened_at) // 60000 AS clock_minute,
    mart.exchange_minute(opened_at) AS minute,
    open, high, low, close, volume, value
  FROM market.candle
  WHERE timeframe = '1m'
), labelled_bar AS (
  SELECT bar.*, bar_length.timeframe, coalesce(phase.phase, 'outside') AS phase, phase.auction,
    CASE
      WHEN bar_length.length = 1 THEN bar.opened_at
      ELSE to_timestamp(60 * (bar.clock_minute - bar.minute + CASE
        WHEN phase.last_minute IS NOT NULL
          THEN mart.phase_slot(bar.minute, phase.anchor, phase.last_minute, bar_length.length)
        WHEN phase.anchor IS NOT NULL THEN phase.anchor
        ELSE greatest(bar.minute // bar_length.length * bar_length.length, coalesce(phase.gap_starts, 0))
      END))
    END AS label
  FROM bar
  CROSS JOIN bar_length
  LEFT JOIN mart.intraday day ON day.symbol = bar.symbol AND day.trading_date = bar.trading_date
  LEFT JOIN listed_board ON listed_board.symbol = bar.symbol
  LEFT JOIN mart.day_minute phase
    ON phase.board = coalesce(day.board, listed_board.board) AND phase.minute = bar.minute
    AND bar.trading_date BETWEEN phase.valid_from AND phase.valid_to
)
SELECT symbol, timeframe, trading_date, label AS opened_at, mart.exchange_time(label) AS exchange_time,
  min(phase) AS phase, max(auction) AS auction,
  arg_min(open, labelled_bar.opened_at) AS open, max(high) AS high, min(low) AS low,
  arg_max(close, labelled_bar.opened_at) AS close,
  TRY_CAST(sum(volume) AS BIGINT) AS volume, TRY_CAST(sum(value) AS DECIMAL(18,2)) AS value,
  count(*) AS bars
FROM labelled_bar
GROUP BY symbol, timeframe, trading_date, label;
COMMENT ON MACRO TABLE mart.session_bars IS
  'Bars of any timeframe from 1m on, as text (7m, 45m, 2h; several between commas), counted within the '
  'phases of the session: columns as in mart.candle_session.';
