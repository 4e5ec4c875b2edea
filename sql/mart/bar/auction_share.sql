-- grain: one row per symbol and session that has 1m bars
-- From the stored figures of each session (mart.intraday). Which auctions there were follows from the board
-- of the day; where its price limits are missing none can be known. The opening auction has no bar of its
-- own: its share contains the trades of the minute after it too. Volume is that of the bars: after hours are
-- in it, put-through deals are not.
CREATE OR REPLACE VIEW mart.auction_share AS
WITH auction AS (
  SELECT board, valid_from, valid_to,
    bool_or(auction = 'ato') AS has_ato, bool_or(auction = 'atc') AS has_atc
  FROM mart.day_minute
  GROUP BY board, valid_from, valid_to
), session_volume AS (
  SELECT intraday.symbol, intraday.trading_date, intraday.board, intraday.volume,
    CASE WHEN auction.has_ato THEN coalesce(intraday.ato_volume, 0) END AS ato_volume,
    CASE WHEN auction.has_atc THEN coalesce(intraday.atc_volume, 0) END AS atc_volume
  FROM mart.intraday intraday
  LEFT JOIN auction ON auction.board = intraday.board
    AND intraday.trading_date BETWEEN auction.valid_from AND auction.valid_to
)
SELECT symbol, trading_date, mart.instrument_kind(symbol, NULL) AS kind, board,
  volume, ato_volume, atc_volume,
  ato_volume / nullif(volume, 0) AS ato_share,
  atc_volume / nullif(volume, 0) AS atc_share
FROM session_volume;
COMMENT ON VIEW mart.auction_share IS
  'One row per symbol and session with 1m bars: the share of the opening bar and of the closing auction in '
  'its volume.';
COMMENT ON COLUMN mart.auction_share.board IS
  'HOSE, HNX, UPCOM or DERIVATIVE on that day; null where no price limits were reported.';
COMMENT ON COLUMN mart.auction_share.volume IS
  'Volume of all its bars, shares or contracts; null where the sum is beyond 64 bits.';
COMMENT ON COLUMN mart.auction_share.ato_volume IS
  'Volume of the bar that contains the opening auction (with the trades of its minute), 0 without such a '
  'bar; null where the board has no opening auction.';
COMMENT ON COLUMN mart.auction_share.atc_volume IS
  'Volume of the closing auction, 0 where nothing matched in it; null where the board has none.';
COMMENT ON COLUMN mart.auction_share.ato_share IS
  'ato_volume / volume, a fraction; null where the board has no opening auction, or nothing was traded.';
COMMENT ON COLUMN mart.auction_share.atc_share IS
  'atc_volume / volume, a fraction; null where the board has no closing auction, or nothing was traded.';
