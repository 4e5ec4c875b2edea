-- grain: one row per stock, session with a close, and factor whose value is known
-- Cross-sectional z-scores: how many standard deviations a stock is from the mean of all stocks (HOSE, HNX
-- and UPCOM together) on that session. Values are winsorised first: what is below the first percentile or
-- above the 99th of the session counts as that percentile (interpolated), so that one misplaced unit does
-- not decide the deviation. Mean and standard deviation (n - 1) are those of the winsorised values. No
-- sign is changed: a high z-score of volatility is a volatile stock. Factors are those of
-- mart.daily_factor. One session is faster by mart.factor_score_between: a filter by date does not go down
-- into it.
CREATE OR REPLACE VIEW mart.factor_score AS
SELECT symbol, trading_date, factor, value, winsorised_value, z_score, stocks
FROM mart.factor_score_between(DATE '0001-01-01', DATE '9999-12-31');
COMMENT ON VIEW mart.factor_score IS
  'One row per stock, session and factor: its z-score among all stocks of the session.';
COMMENT ON COLUMN mart.factor_score.factor IS
  'size: ln(market_cap). return_1, return_20, from_high_52w: as in mart.daily_factor. momentum: (1 + '
  'return_250) / (1 + return_20) - 1. volatility: close_volatility_60. beta: beta_vnindex_250. liquidity: '
  'ln(mean_value_20). turnover: turnover_20. foreign_flow: foreign_net_value_20 / (20 x '
  '(mean_value_20 + mean_deal_value_20)): deals are in both, so that it lies between -1 and 1.';
COMMENT ON COLUMN mart.factor_score.value IS
  'Value of the factor; its unit is that of the factor. A value that is not known has no row.';
COMMENT ON COLUMN mart.factor_score.winsorised_value IS
  'value, at least the first and at most the 99th percentile of the session''s stocks.';
COMMENT ON COLUMN mart.factor_score.z_score IS
  '(winsorised_value - mean) / standard deviation of the session''s winsorised values; null under 20 stocks, '
  'and where all values are equal.';
COMMENT ON COLUMN mart.factor_score.stocks IS 'Stocks of the session whose value of the factor is known.';
