-- Last trading date of a symbol that ends: as the security list states it, of a future that no list names by
-- the rulebook (mart.expiry_day; the session before where that is closed, which is not looked up here). Null
-- for what does not end.
CREATE OR REPLACE MACRO mart.last_day_of(symbol, listed_date) AS (
  coalesce(listed_date, mart.expiry_day(mart.futures_underlying(symbol),
    TRY_CAST('20' || left(right(mart.futures_contract(symbol), 4), 2) || '-'
      || right(mart.futures_contract(symbol), 2) || '-01' AS DATE)))
);
COMMENT ON MACRO mart.last_day_of IS
  'Last trading date of a symbol that ends: listed_date, of a future without one by the rulebook; else null.';
