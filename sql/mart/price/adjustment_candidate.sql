-- grain: one row per symbol and session from first_day to last_day whose reference price can be compared with
--   its basis
-- (mart.reference_basis describes how)
CREATE OR REPLACE MACRO mart.adjustment_candidate(first_day, last_day) AS TABLE
FROM mart.reference_basis('market.price_limit', 'market.daily_summary', first_day, last_day);
COMMENT ON MACRO TABLE mart.adjustment_candidate IS
  'Reference prices from first_day to last_day beside their basis: whether they differ, and whether that '
  'day is a fault of the source (market_wide).';
