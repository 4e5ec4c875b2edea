-- grain: one row per symbol and trading_date with a close and a value of VNINDEX, of the dates asked for
-- mart.idiosyncratic_volatility for the sessions from first_session to last_session; one session of all
-- symbols is cheaper here, since no more than the 165 days before it are read.
CREATE OR REPLACE MACRO mart.idiosyncratic_volatility_between(first_session, last_session) AS TABLE
WITH index_level AS (
  SELECT trading_date, max(CAST(index_value AS DOUBLE)) AS level
  FROM market.index_summary
  WHERE index_value > 0 AND mart.plain_index_code(index_code) = 'VNINDEX'
    AND trading_date BETWEEN CAST(first_session AS DATE) - 165 AND CAST(last_session AS DATE)
  GROUP BY trading_date
), close_session AS (
  SELECT factor.symbol, factor.trading_date, factor.close_return_1, index_level.level,
    lag(factor.trading_date) OVER closes AS date_before, lag(index_level.level) OVER closes AS level_before
  FROM mart.session_factor factor
  LEFT JOIN index_level ON index_level.trading_date = factor.trading_date
  WHERE factor.close IS NOT NULL
    AND factor.trading_date BETWEEN CAST(first_session AS DATE) - 165 AND CAST(last_session AS DATE)
  WINDOW closes AS (PARTITION BY factor.symbol ORDER BY factor.trading_date)
), return_pair AS (
  SELECT symbol, trading_date,
    -- a pair has both returns, over the same days
    trading_date - date_before <= 45 AND level_before IS NOT NULL AND close_return_1 IS NOT NULL AS is_pair,
    CASE WHEN is_pair THEN close_return_1 END AS price_return,
    CASE WHEN is_pair THEN level / level_before - 1 END AS index_return,
    -- days as a number: a range of intervals casts every date to an instant
    count(*) OVER (PARTITION BY symbol ORDER BY trading_date - DATE '1970-01-01'
      RANGE BETWEEN 120 PRECEDING AND CURRENT ROW) AS sessions,
    -- sessions that are read for the windows of later ones need none of their own
    CASE WHEN trading_date >= CAST(first_session AS DATE) THEN least(60, sessions) - 1 ELSE 0 END AS back_60
  FROM close_session
  WHERE level IS NOT NULL
), moment AS (
  SELECT symbol, trading_date,
    count(price_return) OVER pairs_60 AS pairs,
    covar_pop(price_return, index_return) OVER pairs_60 AS covariance,
    var_pop(price_return) OVER pairs_60 AS variance,
    nullif(var_pop(index_return) OVER pairs_60, 0) AS index_variance
  FROM return_pair
  WINDOW pairs_60 AS (PARTITION BY symbol
    ORDER BY trading_date ROWS BETWEEN back_60 PRECEDING AND CURRENT ROW)
), fit AS (
  SELECT symbol, trading_date, pairs,
    CASE WHEN pairs >= 45 THEN variance END AS variance,
    CASE WHEN pairs >= 45 THEN covariance / index_variance END AS beta,
    -- rounding may explain more than all
    CASE WHEN beta * covariance > variance THEN variance ELSE beta * covariance END AS explained
  FROM moment
)
SELECT symbol, trading_date, mart.instrument_kind(symbol, NULL) AS kind, pairs AS pairs_60, beta AS beta_60,
  sqrt(variance * pairs / (pairs - 1) * 250) AS volatility_60,
  sqrt((variance - explained) * pairs / (pairs - 2) * 250) AS idiosyncratic_volatility_60,
  explained / nullif(variance, 0) AS explained_share_60
FROM fit
WHERE trading_date >= CAST(first_session AS DATE);
COMMENT ON MACRO TABLE mart.idiosyncratic_volatility_between IS
  'mart.idiosyncratic_volatility for the sessions from the first date to the second: one session of all '
  'symbols answers at once.';
