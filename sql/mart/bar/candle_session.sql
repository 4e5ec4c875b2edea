-- grain: one row per symbol, timeframe and opened_at
-- The usual timeframes of mart.session_bars, which takes any other. Ask for one timeframe: each is made from
-- the 1m bars anew.
CREATE OR REPLACE VIEW mart.candle_session AS
SELECT symbol, timeframe, trading_date, opened_at, exchange_time, phase, auction, open, high, low, close,
  volume, value, bars
FROM mart.session_bars('1m,3m,5m,10m,15m,30m,1h,2h,4h');
COMMENT ON VIEW mart.candle_session IS
  'One row per symbol, timeframe and bar: bars made from 1m bars within the phases of the session; lunch is '
  'never bridged, auctions are reported.';
COMMENT ON COLUMN mart.candle_session.timeframe IS '1m, 3m, 5m, 10m, 15m, 30m, 1h, 2h or 4h: ask for one.';
COMMENT ON COLUMN mart.candle_session.opened_at IS
  'Start of the bar, counted from where its phase begins; the closing auction is at the minute in which it '
  'matches.';
COMMENT ON COLUMN mart.candle_session.phase IS
  'ato, morning, afternoon, atc or plo; outside where the board has no phase at that minute, or no board is '
  'known.';
COMMENT ON COLUMN mart.candle_session.auction IS
  'ato or atc where the bar contains that auction: the opening auction is in the first bar of the morning. '
  'Null otherwise.';
COMMENT ON COLUMN mart.candle_session.open IS 'Open of its first 1m bar, VND (futures: index points), raw.';
COMMENT ON COLUMN mart.candle_session.high IS 'Highest price, raw.';
COMMENT ON COLUMN mart.candle_session.low IS 'Lowest price, raw.';
COMMENT ON COLUMN mart.candle_session.close IS 'Close of its last 1m bar, raw.';
COMMENT ON COLUMN mart.candle_session.volume IS
  'Volume, shares or contracts; null where the sum is beyond 64 bits.';
COMMENT ON COLUMN mart.candle_session.value IS 'Value, VND; null where the sum is beyond 18 digits.';
COMMENT ON COLUMN mart.candle_session.bars IS '1m bars in it; minutes without a trade have none.';
