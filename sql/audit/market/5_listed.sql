-- grain: one row per symbol and session to check on which it was listed, by the lists of that session;
--   before its first list a symbol counts from the first trading date that the list names.
CREATE OR REPLACE TEMP TABLE listed_symbol AS
SELECT trading_date, symbol, kind, trading_board
FROM instrument
WHERE CASE
    WHEN is_listed IS NULL THEN first_trading_date <= trading_date
    ELSE is_listed AND coalesce(first_trading_date <= trading_date, true)
  END
  AND coalesce(last_trading_date >= trading_date, true);
