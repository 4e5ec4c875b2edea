-- Written by make sql from data/reference (docs/rulebook.md).
-- VND per point of a futures contract; 1 for what is priced in VND. Null for contracts on an underlying that
-- the rulebook does not know, and for spreads: their money is not known either.
-- A map, since CASE would write the underlying out once per value.
CREATE OR REPLACE MACRO mart.multiplier(symbol) AS (
  CASE WHEN length(symbol) <= 3 THEN 1
    WHEN regexp_full_match(upper(symbol), '42[A-Z][A-Z0-9]{6}') THEN NULL
    ELSE MAP {'': 1, 'GB05': 10000, 'GB10': 10000, 'VN100': 100000, 'VN30': 100000}[
      coalesce(mart.futures_underlying(symbol), '')] END
);
COMMENT ON MACRO mart.multiplier IS
  'VND per point of a future; 1 for instruments priced in VND; null for spreads and unknown underlyings.';
