-- grain: one row per symbol, index (VNINDEX, VN30) and session with a close and an index value
-- Daily returns of the adjusted close against those of the index over the same sessions: after a halt both
-- are over the sessions that the symbol did not have. The index is a price index, the symbol's dividends are
-- adjusted for. A pair needs the index at both ends. Null under 60 pairs of 120 sessions and 125 of 250: half
-- of them. Covariances from sums of products, in DOUBLE: returns lie around zero, so that nothing is lost in
-- the difference. These sums take two thirds of the time that DuckDB's regr_slope and corr take over the same
-- windows.
CREATE OR REPLACE VIEW mart.beta_correlation AS
WITH index_level AS (
  SELECT mart.plain_index_code(index_code) AS index_code, trading_date,
    CAST(max(index_value) AS DOUBLE) AS index_value
  FROM market.index_summary
  WHERE mart.plain_index_code(index_code) IN ('VNINDEX', 'VN30') AND index_value > 0
  GROUP BY ALL
), symbol_session AS (
  SELECT symbol, trading_date,
    close_adjusted / lag(close_adjusted) OVER history - 1 AS symbol_return,
    lag(trading_date) OVER history AS date_before
  FROM mart.daily_adjusted
  WHERE close > 0
  WINDOW history AS (PARTITION BY symbol ORDER BY trading_date)
), return_pair AS (
  SELECT symbol_session.symbol, index_level.index_code, symbol_session.trading_date,
    index_level.index_value / before.index_value - 1 AS y,
    CASE WHEN y IS NOT NULL THEN symbol_session.symbol_return END AS x
  FROM symbol_session
  JOIN index_level ON index_level.trading_date = symbol_session.trading_date
  LEFT JOIN index_level before
    ON before.trading_date = symbol_session.date_before AND before.index_code = index_level.index_code
), window_sum AS (
  SELECT symbol, index_code, trading_date,
    count(x) OVER last_120 AS n_120, sum(x) OVER last_120 AS x_120, sum(y) OVER last_120 AS y_120,
    sum(x * x) OVER last_120 AS xx_120, sum(x * y) OVER last_120 AS xy_120,
    sum(y * y) OVER last_120 AS yy_120,
    count(x) OVER last_250 AS n_250, sum(x) OVER last_250 AS x_250, sum(y) OVER last_250 AS y_250,
    sum(x * x) OVER last_250 AS xx_250, sum(x * y) OVER last_250 AS xy_250, sum(y * y) OVER last_250 AS yy_250
  FROM return_pair
  WINDOW last_120 AS (PARTITION BY symbol, index_code ORDER BY trading_date ROWS 119 PRECEDING),
    last_250 AS (PARTITION BY symbol, index_code ORDER BY trading_date ROWS 249 PRECEDING)
), centred_sum AS (
  -- below 1e-12 a sum of squares is rounding: a price that never moved
  SELECT symbol, index_code, trading_date, n_120, n_250,
    CASE WHEN n_120 >= 60 THEN xy_120 - x_120 * y_120 / n_120 END AS cxy_120,
    CASE WHEN xx_120 - x_120 * x_120 / n_120 > 1e-12 THEN xx_120 - x_120 * x_120 / n_120 END AS cxx_120,
    CASE WHEN yy_120 - y_120 * y_120 / n_120 > 1e-12 THEN yy_120 - y_120 * y_120 / n_120 END AS cyy_120,
    CASE WHEN n_250 >= 125 THEN xy_250 - x_250 * y_250 / n_250 END AS cxy_250,
    CASE WHEN xx_250 - x_250 * x_250 / n_250 > 1e-12 THEN xx_250 - x_250 * x_250 / n_250 END AS cxx_250,
    CASE WHEN yy_250 - y_250 * y_250 / n_250 > 1e-12 THEN yy_250 - y_250 * y_250 / n_250 END AS cyy_250
  FROM window_sum
)
-- rounded: 1.0000000000000013 is not a valid correlation
SELECT symbol, index_code, trading_date,
  cxy_120 / cyy_120 AS beta_120,
  round(cxy_120 / sqrt(cxx_120 * cyy_120), 12) AS correlation_120,
  n_120 AS pairs_120,
  cxy_250 / cyy_250 AS beta_250,
  round(cxy_250 / sqrt(cxx_250 * cyy_250), 12) AS correlation_250,
  n_250 AS pairs_250
FROM centred_sum;
COMMENT ON VIEW mart.beta_correlation IS
  'One row per symbol, index (VNINDEX, VN30) and session: how its daily returns go with those of the index, '
  'over its last 120 and 250 sessions.';
COMMENT ON COLUMN mart.beta_correlation.index_code IS
  'VNINDEX or VN30, in this spelling whatever the deployment writes.';
COMMENT ON COLUMN mart.beta_correlation.beta_120 IS
  'Covariance with the index over the variance of the index, daily returns of 120 sessions; null under 60 '
  'pairs, or where the index did not move.';
COMMENT ON COLUMN mart.beta_correlation.correlation_120 IS
  'Correlation with the index, daily returns of 120 sessions, -1 to 1; null as beta_120, and where the '
  'price did not move.';
COMMENT ON COLUMN mart.beta_correlation.pairs_120 IS 'Pairs of returns in the 120 sessions.';
COMMENT ON COLUMN mart.beta_correlation.beta_250 IS 'As beta_120, 250 sessions; null under 125 pairs.';
COMMENT ON COLUMN mart.beta_correlation.correlation_250 IS
  'As correlation_120, 250 sessions; null under 125 pairs.';
COMMENT ON COLUMN mart.beta_correlation.pairs_250 IS 'Pairs of returns in the 250 sessions.';
