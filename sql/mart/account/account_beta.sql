-- grain: one row per account, trading date and index (VNINDEX, VN30)
-- Sum of market value x beta of the positions (mart.beta_correlation, 120 sessions), of all that have one. A
-- position without a beta (fewer than 60 pairs) is left out, and covered_weight shows how much remains.
CREATE OR REPLACE VIEW mart.account_beta AS
WITH position_change AS MATERIALIZED (
  FROM mart.position_change
), position_value AS MATERIALIZED (
  FROM mart.position_value
), position AS (
  SELECT account_no, trading_date, symbol, market_value
  FROM position_value
  WHERE quantity <> 0
), index_name AS (
  SELECT unnest(['VNINDEX', 'VN30']) AS index_code
), held_symbol AS MATERIALIZED (
  -- a list of few symbols skips those of others before their betas are read
  SELECT DISTINCT symbol FROM position
), beta AS (
  SELECT symbol, trading_date, index_code, beta_120
  FROM mart.beta_correlation
  WHERE symbol IN (SELECT symbol FROM held_symbol)
), rated_position AS (
  SELECT position.*, index_name.index_code, beta.beta_120,
    CASE WHEN beta.beta_120 IS NOT NULL THEN market_value END AS covered_value
  FROM position
  CROSS JOIN index_name
  LEFT JOIN beta ON beta.symbol = position.symbol
    AND beta.trading_date = position.trading_date AND beta.index_code = index_name.index_code
), beta_total AS (
  SELECT account_no, trading_date, index_code, count(*) AS positions,
    count(beta_120) AS positions_with_beta,
    CASE WHEN count(*) = count(market_value) THEN sum(abs(market_value)) END AS gross_value,
    CASE WHEN count(*) = count(market_value)
      THEN coalesce(sum(abs(covered_value)), 0) END AS covered_value,
    CASE WHEN count(*) = count(market_value) THEN sum(covered_value * beta_120) END AS index_value
  FROM rated_position
  GROUP BY account_no, trading_date, index_code
)
SELECT total.account_no, total.trading_date, total.index_code, total.positions, total.positions_with_beta,
  total.covered_value / nullif(total.gross_value, 0) AS covered_weight,
  total.index_value / nullif(total.covered_value, 0) AS beta_of_positions,
  CASE WHEN curve.net_asset_value > 0 THEN total.index_value / curve.net_asset_value END AS beta_of_equity
FROM beta_total total
LEFT JOIN mart.account_equity_curve_of('position_change', 'position_value') curve
  ON curve.account_no = total.account_no AND curve.trading_date = total.trading_date;
COMMENT ON VIEW mart.account_beta IS
  'One row per account, trading date and index: how the positions go with the index, by their betas of 120 '
  'sessions.';
COMMENT ON COLUMN mart.account_beta.index_code IS 'VNINDEX or VN30.';
COMMENT ON COLUMN mart.account_beta.positions IS 'Symbols of the positions.';
COMMENT ON COLUMN mart.account_beta.positions_with_beta IS 'Of these, symbols with a beta on that session.';
COMMENT ON COLUMN mart.account_beta.covered_weight IS
  'Part of the absolute market values that has a beta, a fraction; null where a position has no price.';
COMMENT ON COLUMN mart.account_beta.beta_of_positions IS
  'Mean beta of the positions that have one, by market value (short contracts negative); null where none '
  'has.';
COMMENT ON COLUMN mart.account_beta.beta_of_equity IS
  'The same over net asset value: cash lowers it, debt and contracts raise it. Null as beta_of_positions, or '
  'where the account is worth nothing.';
