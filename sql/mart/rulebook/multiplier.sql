-- Written by make sql from data/reference (docs/rulebook.md).
-- VND per point of a futures contract; 1 for what is priced in VND. Null for contracts on an underlying that
-- the rulebook does not know: their money is not known either.
CREATE OR REPLACE MACRO mart.multiplier(symbol) AS (
  CASE coalesce(mart.futures_underlying(symbol), '')
    WHEN '' THEN 1
    WHEN 'GB05' THEN 10000
    WHEN 'GB10' THEN 10000
    WHEN 'VN100' THEN 100000
    WHEN 'VN30' THEN 100000
  END
);
COMMENT ON MACRO mart.multiplier IS
  'VND per point of a future; 1 for instruments priced in VND; null where the underlying is unknown.';
