-- grain: one row per ETF or fund and session whose security list reported an i_nav or an i_index
-- The list is asked for after the close, so that i_nav is the last one of the session. It is computed from
-- the portfolio of the day before: around rebalancing it may be off. Sessions of before market.security_daily
-- was kept have no rows. The API does not specify whether i_index is VND per unit or points of the index, and
-- deployments may differ: it is taken for a price, and compared, where it lies within half and twice i_nav
-- (close where there is no i_nav).
CREATE OR REPLACE VIEW mart.etf_premium AS
WITH fund_session AS (
  SELECT figure.symbol, figure.trading_date,
    CASE WHEN summary.close > 0 THEN summary.close END AS close, summary.total_match,
    CASE WHEN figure.i_nav > 0 THEN figure.i_nav END AS i_nav,
    CASE WHEN figure.i_index > 0 THEN figure.i_index END AS i_index
  FROM market.security_daily figure
  LEFT JOIN market.daily_summary summary
    ON summary.symbol = figure.symbol AND summary.trading_date = figure.trading_date
  WHERE figure.i_nav > 0 OR figure.i_index > 0
)
SELECT symbol, trading_date, close, total_match, i_nav, i_index,
  CAST(close AS DOUBLE) / CAST(i_nav AS DOUBLE) - 1 AS premium_to_i_nav,
  CASE WHEN CAST(i_index AS DOUBLE) / CAST(coalesce(i_nav, close) AS DOUBLE) BETWEEN 0.5 AND 2
    THEN CAST(close AS DOUBLE) / CAST(i_index AS DOUBLE) - 1 END AS premium_to_i_index
FROM fund_session;
COMMENT ON VIEW mart.etf_premium IS
  'One row per ETF or fund and session: its close against its indicative net asset value. Raw prices.';
COMMENT ON COLUMN mart.etf_premium.symbol IS 'ETF or fund.';
COMMENT ON COLUMN mart.etf_premium.close IS 'Last price matched, VND per unit, raw; null where none was.';
COMMENT ON COLUMN mart.etf_premium.total_match IS
  'Matched volume, units; null where there is no daily summary.';
COMMENT ON COLUMN mart.etf_premium.i_nav IS
  'Indicative net asset value at the end of the session, VND per unit; null where none was reported.';
COMMENT ON COLUMN mart.etf_premium.i_index IS
  'Indicative index value at the end of the session: VND per unit, or points of the index, as the '
  'deployment reports it.';
COMMENT ON COLUMN mart.etf_premium.premium_to_i_nav IS
  'close / i_nav - 1: negative = a discount. Null without a close.';
COMMENT ON COLUMN mart.etf_premium.premium_to_i_index IS
  'close / i_index - 1; null where i_index is in points instead of the price of a unit, or is missing.';
