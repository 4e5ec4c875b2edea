-- grain: one row per symbol and trading_date with a close and a value of VNINDEX
-- The market model over the symbol's last 60 sessions: daily return = intercept + beta_60 x return of
-- VNINDEX + residual, by least squares. Idiosyncratic volatility is the standard error of the residuals (n
-- - 2 degrees of freedom) by the year. Returns as in mart.beta_correlation: adjusted close to adjusted
-- close, the index over the same sessions, none over more than 45 days. Windows count sessions with a
-- close and a value of the index, within 120 days. VNINDEX is the market for stocks of HNX and UPCOM too.
-- One session is faster by mart.idiosyncratic_volatility_between: a filter by date does not go down into
-- it.
CREATE OR REPLACE VIEW mart.idiosyncratic_volatility AS
SELECT symbol, trading_date, kind, pairs_60, beta_60, volatility_60, idiosyncratic_volatility_60,
  explained_share_60
FROM mart.idiosyncratic_volatility_between(DATE '0001-01-01', DATE '9999-12-31');
COMMENT ON VIEW mart.idiosyncratic_volatility IS
  'One row per symbol and session: how much of its volatility of 60 sessions the market does not explain.';
COMMENT ON COLUMN mart.idiosyncratic_volatility.pairs_60 IS 'Pairs of returns in the last 60 sessions.';
COMMENT ON COLUMN mart.idiosyncratic_volatility.beta_60 IS
  'Slope of the market model: covariance with VNINDEX over the variance of VNINDEX; null under 45 pairs, or '
  'where the index did not move.';
COMMENT ON COLUMN mart.idiosyncratic_volatility.volatility_60 IS
  'Standard deviation of the symbol''s daily returns of these pairs x sqrt(250), a fraction; null under 45 '
  'pairs. Simple returns; close_volatility_60 has logarithms.';
COMMENT ON COLUMN mart.idiosyncratic_volatility.idiosyncratic_volatility_60 IS
  'Standard error of the residuals, sqrt(sum of squares / (pairs_60 - 2)), x sqrt(250), a fraction; null as '
  'beta_60.';
COMMENT ON COLUMN mart.idiosyncratic_volatility.explained_share_60 IS
  'Share of the variance that the index explains (R squared), 0 to 1; null as beta_60, and where the price '
  'did not move.';
