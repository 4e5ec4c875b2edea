-- grain: one row per symbol, session that has a 1m bar, and minute of the regular grid
-- For models that need one row per minute. Nothing is carried from one session into the next: before the
-- session's first trade there is no price. mart.filled_bars describes what becomes of bars off the grid, and
-- does the same for other timeframes.
CREATE OR REPLACE VIEW mart.candle_filled AS
SELECT symbol, trading_date, opened_at, exchange_time, phase, open, high, low, close, volume, value, is_filled
FROM mart.filled_bars('1m');
COMMENT ON VIEW mart.candle_filled IS
  'One row per symbol, session with bars and minute of continuous trading or closing auction: 1m bars, '
  'minutes without one filled with the last close of the session.';
COMMENT ON COLUMN mart.candle_filled.opened_at IS 'Start of the minute.';
COMMENT ON COLUMN mart.candle_filled.phase IS 'morning, afternoon or atc.';
COMMENT ON COLUMN mart.candle_filled.open IS
  'Open, VND (futures: index points), raw; where filled the last close of the session, null before its '
  'first trade.';
COMMENT ON COLUMN mart.candle_filled.high IS 'High, as open.';
COMMENT ON COLUMN mart.candle_filled.low IS 'Low, as open.';
COMMENT ON COLUMN mart.candle_filled.close IS 'Close, as open.';
COMMENT ON COLUMN mart.candle_filled.volume IS 'Volume, shares or contracts; 0 where filled.';
COMMENT ON COLUMN mart.candle_filled.value IS 'Value, VND; 0 where filled.';
COMMENT ON COLUMN mart.candle_filled.is_filled IS 'Whether there is no bar of this minute: nothing traded.';
