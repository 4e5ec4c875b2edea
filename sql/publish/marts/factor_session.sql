-- grain: one row per session of mart.daily_factor whose listed shares or proprietary flow differ between the
--   former publication and this one
-- former is the attached state of the former publication, with the same views.
WITH share AS (
  SELECT symbol, listed_share, reported_from, valid_from, valid_to FROM mart.listed_share
), former_share AS (
  SELECT symbol, listed_share, reported_from, valid_from, valid_to FROM former.mart.listed_share
), changed_share AS (
  (FROM share EXCEPT FROM former_share)
  UNION
  (FROM former_share EXCEPT FROM share)
), flow AS (
  SELECT index_code, trading_date, net_value_5, net_value_20 FROM mart.proprietary_flow
), former_flow AS (
  SELECT index_code, trading_date, net_value_5, net_value_20 FROM former.mart.proprietary_flow
), changed_flow AS (
  (FROM flow EXCEPT FROM former_flow)
  UNION
  (FROM former_flow EXCEPT FROM flow)
), changed_row AS (
  SELECT factor.trading_date
  FROM mart.session_factor factor
  JOIN changed_share ON changed_share.symbol = factor.symbol
    AND factor.trading_date BETWEEN changed_share.valid_from AND changed_share.valid_to
  UNION
  SELECT trading_date FROM changed_flow
)
SELECT CAST(trading_date AS VARCHAR) AS day
FROM changed_row
WHERE trading_date IN (SELECT trading_date FROM mart.session_factor)
ORDER BY day
