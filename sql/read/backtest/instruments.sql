-- grain: one row per stock and fund that was listed between $first_day and $last_day, delisted ones included
-- $is_member: a condition on symbol, for a universe that is smaller than the market.
-- last_session is null while it is listed.
WITH listed AS (
  SELECT symbol, min(trading_date) AS first_session, max(trading_date) AS last_session,
    arg_max(board, trading_date) AS board
  FROM mart.universe
  WHERE trading_date BETWEEN $first_day AND $last_day AND kind IN ('stock', 'etf') AND $is_member
  GROUP BY symbol
), newest AS (
  SELECT max(last_session) AS session FROM listed
)
SELECT listed.symbol,
  CAST(first_session AS VARCHAR) AS first_session,
  -- a row that is missing is not a delisting: the lists of later days name the symbol
  CASE WHEN coalesce(greatest(instrument.last_seen, last_session), last_session) < newest.session
    THEN CAST(last_session AS VARCHAR) END AS last_session,
  coalesce(listed.board, instrument.board) AS board,
  coalesce(symbol_name_en, symbol_name_vi, listed.symbol) AS name,
  CAST(coalesce(lot_size, 100) AS INTEGER) AS lot_size,
  CASE WHEN chain_known_from > first_session THEN CAST(chain_known_from AS VARCHAR) END AS factors_known_from
FROM listed
CROSS JOIN newest
LEFT JOIN mart.instrument instrument ON instrument.symbol = listed.symbol
LEFT JOIN mart.chain_known chain ON chain.symbol = listed.symbol
ORDER BY listed.symbol
