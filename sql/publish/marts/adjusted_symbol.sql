-- grain: one row per symbol whose adjusted prices of earlier sessions differ between the former publication
--   and this one
-- former is the attached state of the former publication, with the same views.
WITH factor AS (
  SELECT symbol, ex_date, cumulative_factor FROM mart.adjustment_factor
), former_factor AS (
  SELECT symbol, ex_date, cumulative_factor FROM former.mart.adjustment_factor
), chain AS (
  SELECT symbol, chain_known_from FROM mart.chain_known
), former_chain AS (
  SELECT symbol, chain_known_from FROM former.mart.chain_known
), changed_row AS (
  (SELECT symbol FROM (FROM factor EXCEPT FROM former_factor) added_factor)
  UNION
  (SELECT symbol FROM (FROM former_factor EXCEPT FROM factor) removed_factor)
  UNION
  (SELECT symbol FROM (FROM chain EXCEPT FROM former_chain) added_chain)
  UNION
  (SELECT symbol FROM (FROM former_chain EXCEPT FROM chain) removed_chain)
)
SELECT symbol FROM changed_row ORDER BY symbol
