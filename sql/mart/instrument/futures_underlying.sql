-- What a futures code rests on: VN30, VN100, GB05, GB10; null for other codes.
CREATE OR REPLACE MACRO mart.futures_underlying(symbol) AS (
  -- a stock has three characters: most rows need no expression
  CASE WHEN length(symbol) > 3
    THEN regexp_extract(mart.futures_contract(symbol), '^(.+)F\d{4}$', 1) END
);
COMMENT ON MACRO mart.futures_underlying IS
  'What a futures code rests on: the index, or the government bond; null for other codes.';
