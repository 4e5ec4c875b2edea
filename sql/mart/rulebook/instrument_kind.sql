-- Written by make sql from data/reference (docs/rulebook.md).
-- The kind of an instrument: stock, etf (closed-end funds too), covered_warrant, future or spread (of two
-- futures). The API has no field for it: derived from the underlying it names, else from the form of its code
-- (rule instrument_code).
CREATE OR REPLACE MACRO mart.instrument_kind(symbol, cw_underlying_symbol) AS (
  CASE
    -- a stock has three characters and the others more: most rows need no expression
    WHEN length(symbol) = 3 AND coalesce(cw_underlying_symbol, '') = '' THEN 'stock'
    WHEN mart.futures_contract(symbol) IS NOT NULL THEN 'future'
    WHEN regexp_full_match(upper(symbol), '42[A-Z][A-Z0-9]{6}') THEN 'spread'
    WHEN coalesce(cw_underlying_symbol, '') <> ''
      OR regexp_full_match(upper(symbol), 'C[A-Z][A-Z0-9]{2}[0-9]{4}') THEN 'covered_warrant'
    WHEN regexp_full_match(upper(symbol), 'E1VFVN30|FU[A-Z][A-Z0-9]+') THEN 'etf'
    ELSE 'stock'
  END
);
COMMENT ON MACRO mart.instrument_kind IS
  'What kind of instrument a symbol is: stock, etf, covered_warrant, future or spread.';
