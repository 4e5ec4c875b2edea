-- grain: one row per symbol and session from first_day to last_day whose reference price can be compared with
--   its basis
-- (mart.reference_basis describes how, mart.reference_break what a difference is)
-- Without those whose difference sessions of which nothing is known may explain: they show nothing.
CREATE OR REPLACE MACRO mart.adjustment_candidate(first_day, last_day) AS TABLE
SELECT * EXCLUDE (open_move, is_unknown)
FROM mart.reference_break('market.price_limit', 'market.daily_summary', first_day, last_day)
WHERE NOT is_unknown;
COMMENT ON MACRO TABLE mart.adjustment_candidate IS
  'Reference prices from first_day to last_day beside their basis: by how many ticks they differ, whether '
  'that is more than the noise of the day (differs), a corporate action (is_event), or a fault of the source '
  '(market_wide; is_fault where the prices of the session contradict the reference).';
