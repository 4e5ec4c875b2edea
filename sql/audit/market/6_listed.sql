-- grain: one row per symbol and session to check on which it was listed. The lists name today's symbols only:
--   a symbol that has
-- left since is in none of them.
CREATE OR REPLACE TEMP TABLE listed_symbol AS
SELECT audit_session.trading_date, symbol, kind, instrument.trading_board
FROM audit_session JOIN instrument
  ON is_listed AND coalesce(first_trading_date, first_seen) <= audit_session.trading_date
  AND coalesce(last_trading_date >= audit_session.trading_date, true);
