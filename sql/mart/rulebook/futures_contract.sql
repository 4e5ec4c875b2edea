-- Written by make sql from data/reference (docs/rulebook.md).
-- The contract that a futures code names, as underlying F YYMM: VN30F2504 for VN30F2504 and for 41I1F4000,
-- its code since the exchange changed them (docs/market-facts.md#symbol-codes: 41, underlying I1, year letter
-- F = 2025, month 1-9 A-C, 000; I, O and U are not used as year letters). Null for all other codes.
CREATE OR REPLACE MACRO mart.futures_contract(symbol) AS (
  CASE
    WHEN regexp_full_match(upper(symbol), '(GB05|GB10|VN30)F\d{2}(0[1-9]|1[0-2])') THEN upper(symbol)
    WHEN regexp_full_match(upper(symbol), '41[A-Z][A-Z0-9][A-HJ-NP-TV-Z][1-9A-C]000') THEN
      CASE left(upper(symbol), 4)
        WHEN '41B5' THEN 'GB05'
        WHEN '41BA' THEN 'GB10'
        WHEN '41I2' THEN 'VN100'
        WHEN '41I1' THEN 'VN30'
        ELSE substr(upper(symbol), 3, 2)
      END
      || 'F' || lpad(CAST(19 + strpos('ABCDEFGHJKLMNPQRSTVWXYZ', substr(upper(symbol), 5, 1)) AS VARCHAR), 2,
        '0')
      || lpad(CAST(strpos('123456789ABC', substr(upper(symbol), 6, 1)) AS VARCHAR), 2, '0')
  END
);
COMMENT ON MACRO mart.futures_contract IS
  'The contract that a futures code names: VN30F2504 for VN30F2504 and for 41I1F4000. Null for other '
  'codes.';
