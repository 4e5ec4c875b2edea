-- grain: one row per symbol and session to check: what kind of instrument it is, where it trades, VND per
--   unit of price, as the lists had it on that session (market.security_history), never as they have it
--   now: a check must not depend on its moment. A symbol that no list of that day or before names is taken
--   as the first list has it; one that has left is taken as the last list had it. is_listed: whether the
--   lists name it on that session; null before its first list.
CREATE OR REPLACE TEMP TABLE instrument AS
WITH validity AS (
  SELECT symbol, board, first_trading_date, last_trading_date, lot_size, cw_underlying_symbol, valid_from,
    valid_to,
    row_number() OVER history = 1 AS is_first,
    lead(valid_from) OVER history AS next_from
  FROM market.security_history
  WINDOW history AS (PARTITION BY symbol ORDER BY valid_from)
)
SELECT audit_session.trading_date, symbol, validity.board, validity.first_trading_date,
  validity.last_trading_date, validity.lot_size, validity.cw_underlying_symbol,
  CASE WHEN valid_from <= audit_session.trading_date
    THEN coalesce(valid_to > audit_session.trading_date, true) END AS is_listed,
  mart.instrument_kind(symbol, cw_underlying_symbol) AS kind,
  CASE WHEN kind = 'future' THEN 'DERIVATIVE' ELSE validity.board END AS trading_board,
  mart.multiplier(symbol) AS multiplier
FROM audit_session JOIN validity
  ON (is_first OR valid_from <= audit_session.trading_date)
    AND coalesce(next_from > audit_session.trading_date, true);
