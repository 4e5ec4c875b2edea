-- Last trading date of a symbol that ends: as the security list states it, of a future that no list names by
-- the rulebook (mart.expiry_day; the session before where that is closed, which is not looked up here). Null
-- for what does not end.
-- Lambdas bind an expression once: as an argument of a macro it would be written out, and planned, eleven
-- times.
CREATE OR REPLACE MACRO mart.last_day_of(symbol, listed_date) AS (
  coalesce(listed_date, list_transform([mart.futures_contract(symbol)],
    lambda contract: list_transform(
      [TRY_CAST('20' || left(right(contract, 4), 2) || '-' || right(contract, 2) || '-01' AS DATE)],
      lambda expiry_month: mart.expiry_day(left(contract, -5), expiry_month))[1])[1])
);
COMMENT ON MACRO mart.last_day_of IS
  'Last trading date of a symbol that ends: listed_date, of a future without one by the rulebook; else null.';
