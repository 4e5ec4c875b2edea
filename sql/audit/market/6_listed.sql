-- grain: one row per symbol and session to judge on which it was listed. The lists tell of today only: a symbol that has
-- left since is in none of them.
CREATE OR REPLACE TEMP TABLE listed_symbol AS
SELECT audited.trading_date, symbol, kind, instrument.trading_board
FROM audited JOIN instrument
  ON is_listed AND coalesce(first_trading_date, first_seen) <= audited.trading_date
  AND coalesce(last_trading_date >= audited.trading_date, true);
