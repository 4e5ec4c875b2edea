-- grain: one row per index, session and member with price limits on that session
-- Approximate: the exchanges weigh most indexes by free float and cap single members, which the API does not
-- report; here every listed share of the session counts (mart.listed_share). Weights are of the day before:
-- ref_price x listed_share, so that on an ex-date of new shares, whose listing comes weeks later, a member
-- weighs too little. Whole boards
-- count their stocks (funds and warrants are in no index of a board); other indexes have the members that
-- market.index_member names on that session. A member that did not trade moves nothing and keeps its weight;
-- one whose daily summary is not stored is not reported. Nothing is reported on days whose reference prices
-- are at fault (mart.reference_glitch). On UPCOM the reference is the average of the session before, so that
-- contributions do not add up to a move from close to close.
CREATE OR REPLACE VIEW mart.index_contribution AS
WITH index_name AS (
  SELECT index_code FROM market.market_index
  UNION
  SELECT index_code FROM market.index_summary
), board_index AS (
  SELECT index_code, mart.board_of_index(index_code) AS board
  FROM index_name WHERE mart.board_of_index(index_code) IS NOT NULL
), member_session AS (
  SELECT board_index.index_code, band.symbol, band.trading_date, band.ref_price
  FROM market.price_limit band
  JOIN board_index ON board_index.board = upper(band.exchange)
  WHERE mart.instrument_kind(band.symbol, NULL) = 'stock'
  UNION ALL
  SELECT member.index_code, band.symbol, band.trading_date, band.ref_price
  FROM market.price_limit band
  JOIN market.index_member member ON member.symbol = band.symbol AND member.valid_from <= band.trading_date
    AND (member.valid_to IS NULL OR member.valid_to > band.trading_date)
  WHERE mart.board_of_index(member.index_code) IS NULL
), member_price AS (
  SELECT member_session.index_code, member_session.trading_date, member_session.symbol,
    CASE WHEN glitch.trading_date IS NULL AND member_session.ref_price > 0
      THEN member_session.ref_price END AS ref_price,
    summary.close, shares.listed_share,
    CASE
      WHEN summary.total_match > 0 AND summary.close > 0 THEN CAST(summary.close AS DOUBLE)
      WHEN summary.symbol IS NOT NULL AND coalesce(summary.total_match, 0) = 0
        THEN CAST(member_session.ref_price AS DOUBLE)
    END AS price
  FROM member_session
  LEFT JOIN market.daily_summary summary
    ON summary.symbol = member_session.symbol AND summary.trading_date = member_session.trading_date
  LEFT JOIN mart.listed_share shares ON shares.symbol = member_session.symbol
    AND member_session.trading_date BETWEEN shares.valid_from AND shares.valid_to
  LEFT JOIN mart.reference_glitch glitch ON glitch.trading_date = member_session.trading_date
), member_value AS (
  SELECT *,
    CAST(ref_price AS DOUBLE) * listed_share AS value_before,
    (price - CAST(ref_price AS DOUBLE)) * listed_share AS value_change,
    sum(value_before) OVER members AS members_value_before,
    sum(value_change) OVER members AS members_value_change
  FROM member_price
  WINDOW members AS (PARTITION BY index_code, trading_date)
)
SELECT member_value.index_code, member_value.trading_date, member_value.symbol, ref_price, close,
  listed_share,
  value_before / nullif(members_value_before, 0) AS weight,
  value_change / nullif(members_value_before, 0) AS contribution,
  contribution * (CAST(index_day.index_value AS DOUBLE)
    - CAST(index_day.index_change AS DOUBLE)) AS contribution_points,
  value_change / nullif(members_value_change, 0) AS share_of_move,
  true AS is_approximate
FROM member_value
LEFT JOIN market.index_summary index_day
  ON index_day.index_code = member_value.index_code AND index_day.trading_date = member_value.trading_date;
COMMENT ON VIEW mart.index_contribution IS
  'One row per index, session and member: what it added to the index''s move. Approximate: by listed '
  'shares, since free float and caps are not reported. Over the members whose rows are published: withheld '
  'ones are missing.';
COMMENT ON COLUMN mart.index_contribution.symbol IS 'Member on that session.';
COMMENT ON COLUMN mart.index_contribution.ref_price IS
  'Reference price, VND, already ex-rights; null where it is at fault.';
COMMENT ON COLUMN mart.index_contribution.close IS
  'Last price matched, VND, raw; null where the daily summary does not have one.';
COMMENT ON COLUMN mart.index_contribution.listed_share IS
  'Listed shares on that session (mart.listed_share); null where no list reports them.';
COMMENT ON COLUMN mart.index_contribution.weight IS
  'ref_price x listed_share as a fraction of the same over all members. Approximate: no free float, no '
  'caps.';
COMMENT ON COLUMN mart.index_contribution.contribution IS
  '(close - ref_price) x listed_share over the sum of ref_price x listed_share of all members, a fraction: '
  'the part of the index''s return. 0 where nothing matched, null where the daily summary or the shares are '
  'not stored. Approximate; on UPCOM ref_price is an average, from which the index does not move.';
COMMENT ON COLUMN mart.index_contribution.contribution_points IS
  'contribution x previous index value (index_value - index_change), index points; null where the index '
  'summary is not stored. Approximate.';
COMMENT ON COLUMN mart.index_contribution.share_of_move IS
  '(close - ref_price) x listed_share as a fraction of the sum of the same: negative = against the move, '
  'and large where gains and losses nearly cancel. Null where they do.';
COMMENT ON COLUMN mart.index_contribution.is_approximate IS
  'Always true: weights are by listed shares, not by free float.';
