-- grain: one row per symbol, phase, auction and slot of the day in which it traded in the latest 20 sessions
--   that are stored
-- Those sessions are the market's: the latest 20 trading dates of which any 1m bars are stored. A symbol's
-- share of a slot is that of its own session's volume, averaged over the sessions among them in which it
-- traded (sessions); one in which the slot had no trade counts as 0, so that the shares of a symbol add up to
-- 1. Slots are the bars of 15 minutes of mart.candle_session, with the same phases: counted from where the
-- phase begins. The minute in which an auction matches is a slot of its own (auction): the bar of 09:15 on
-- HOSE is in phase morning and has the opening auction, and the rest of the slot from 09:15 on has none. A
-- symbol that changed its board has the slots of both.
CREATE OR REPLACE VIEW mart.volume_profile AS
WITH latest_session AS (
  SELECT DISTINCT trading_date FROM mart.intraday ORDER BY trading_date DESC LIMIT 20
), listed_board AS (
  SELECT symbol, mart.trading_board(symbol, board) AS board FROM market.security
), symbol_session AS (
  SELECT intraday.symbol, intraday.trading_date, intraday.volume,
    coalesce(intraday.board, listed_board.board) AS board,
    count(*) OVER (PARTITION BY intraday.symbol) AS sessions
  FROM mart.intraday intraday
  SEMI JOIN latest_session ON latest_session.trading_date = intraday.trading_date
  LEFT JOIN listed_board ON listed_board.symbol = intraday.symbol
  WHERE intraday.volume > 0
), minute_slot AS (
  SELECT board, valid_from, valid_to, minute, phase, auction,
    CASE
      WHEN last_minute IS NOT NULL THEN mart.phase_slot(minute, anchor, last_minute, 15)
      WHEN anchor IS NOT NULL THEN anchor
      ELSE greatest(minute // 15 * 15, gap_starts)
    END AS slot
  FROM mart.day_minute
), bar AS (
  SELECT symbol, trading_date, volume, mart.exchange_minute(opened_at) AS minute
  FROM market.candle
  SEMI JOIN latest_session USING (trading_date)
  WHERE timeframe = '1m'
), bar_share AS (
  SELECT symbol_session.symbol, symbol_session.sessions, coalesce(minute_slot.phase, 'outside') AS phase,
    minute_slot.auction,
    coalesce(minute_slot.slot, bar.minute // 15 * 15) AS slot, bar.volume,
    bar.volume / symbol_session.volume AS share
  FROM bar
  JOIN symbol_session ON symbol_session.symbol = bar.symbol AND symbol_session.trading_date = bar.trading_date
  LEFT JOIN minute_slot ON minute_slot.board = symbol_session.board AND minute_slot.minute = bar.minute
    AND bar.trading_date BETWEEN minute_slot.valid_from AND minute_slot.valid_to
)
SELECT symbol, phase, auction, make_time(slot // 60, slot % 60, 0) AS slot_starts,
  sum(share) / min(sessions) AS mean_share,
  sum(volume) / min(sessions) AS mean_volume,
  min(sessions) AS sessions
FROM bar_share
GROUP BY symbol, phase, auction, slot;
COMMENT ON VIEW mart.volume_profile IS
  'One row per symbol, phase, auction and slot of 15 minutes: its mean share of the session''s volume over '
  'the latest 20 sessions stored.';
COMMENT ON COLUMN mart.volume_profile.phase IS
  'ato, morning, afternoon, atc or plo; outside where the board has no phase then, or no board is known.';
COMMENT ON COLUMN mart.volume_profile.slot_starts IS
  'Start of the slot, exchange time: opened_at of the bar of 15 minutes in mart.candle_session.';
COMMENT ON COLUMN mart.volume_profile.auction IS
  'ato or atc for the minutes of the slot that contain that auction; null for the others. As auction of the '
  '1m bars of mart.candle_session.';
COMMENT ON COLUMN mart.volume_profile.mean_share IS
  'Mean share of the session''s volume, a fraction; a session without trades in the slot counts as 0. The '
  'slots of a symbol add up to 1.';
COMMENT ON COLUMN mart.volume_profile.mean_volume IS 'Mean volume of the slot, shares or contracts.';
COMMENT ON COLUMN mart.volume_profile.sessions IS
  'Sessions that the means are of: of the latest 20 stored, those in which the symbol traded.';
