-- The kind of an instrument: stock, etf (closed-end funds too), covered_warrant or future. The API has no
-- field for it: derived from the underlying it names, else from the form of its code
-- (docs/market-facts.md#symbol-codes).
CREATE OR REPLACE MACRO mart.instrument_kind(symbol, cw_underlying_symbol) AS (
  CASE
    -- a stock has three characters and the others more: most rows need no expression
    WHEN length(symbol) = 3 AND coalesce(cw_underlying_symbol, '') = '' THEN 'stock'
    WHEN regexp_full_match(upper(symbol),
      'VN30F\d{2}(0[1-9]|1[0-2])|41[A-Z][A-Z0-9][A-HJ-NP-TV-Z][1-9A-C]000') THEN 'future'
    WHEN coalesce(cw_underlying_symbol, '') <> ''
      OR regexp_full_match(upper(symbol), 'C[A-Z][A-Z0-9]{2}\d{4}') THEN 'covered_warrant'
    WHEN regexp_full_match(upper(symbol), 'E1VFVN30|FU[A-Z][A-Z0-9]+') THEN 'etf'
    ELSE 'stock'
  END
);
COMMENT ON MACRO mart.instrument_kind IS
  'What kind of instrument a symbol is: stock, etf, covered_warrant or future.';
