-- grain: one row per stock, trading_date of the dates asked for, and factor whose value is known
-- mart.factor_score for the sessions from first_session to last_session; one session is cheaper here.
CREATE OR REPLACE MACRO mart.factor_score_between(first_session, last_session) AS TABLE
WITH stock_session AS (
  SELECT factor.*, CAST(factor.close AS DOUBLE) * shares.listed_share AS market_cap,
    factor.mean_volume_20 / shares.listed_share AS turnover_20
  FROM mart.session_factor factor
  LEFT JOIN mart.listed_share shares ON shares.symbol = factor.symbol
    AND factor.trading_date BETWEEN shares.valid_from AND shares.valid_to
  WHERE factor.close IS NOT NULL AND mart.instrument_kind(factor.symbol, NULL) = 'stock'
    AND factor.trading_date BETWEEN CAST(first_session AS DATE) AND CAST(last_session AS DATE)
), factor_list AS (
  SELECT symbol, trading_date, unnest([
    {'factor': 'size', 'value': ln(market_cap)},
    {'factor': 'return_1', 'value': return_1},
    {'factor': 'return_20', 'value': return_20},
    {'factor': 'momentum', 'value': (1 + return_250) / nullif(1 + return_20, 0) - 1},
    {'factor': 'from_high_52w', 'value': from_high_52w},
    {'factor': 'volatility', 'value': close_volatility_60},
    {'factor': 'beta', 'value': beta_vnindex_250},
    {'factor': 'liquidity', 'value': ln(nullif(mean_value_20, 0))},
    {'factor': 'turnover', 'value': turnover_20},
    {'factor': 'foreign_flow', 'value': foreign_net_value_20
      / nullif(20 * (mean_value_20 + coalesce(mean_deal_value_20, 0)), 0)}
  ]) AS item
  FROM stock_session
), factor_value AS (
  SELECT symbol, trading_date, item.factor AS factor, item.value AS value
  FROM factor_list WHERE item.value IS NOT NULL
), bound AS (
  SELECT trading_date, factor, count(*) AS stocks,
    quantile_cont(value, 0.01) AS lowest, quantile_cont(value, 0.99) AS highest
  FROM factor_value
  GROUP BY trading_date, factor
), winsorised AS (
  SELECT factor_value.*, bound.stocks,
    least(greatest(factor_value.value, bound.lowest), bound.highest) AS winsorised_value
  FROM factor_value
  JOIN bound ON bound.trading_date = factor_value.trading_date AND bound.factor = factor_value.factor
), spread AS (
  SELECT trading_date, factor, avg(winsorised_value) AS mean,
    nullif(stddev_samp(winsorised_value), 0) AS deviation
  FROM winsorised
  GROUP BY trading_date, factor
)
SELECT winsorised.symbol, winsorised.trading_date, winsorised.factor, winsorised.value,
  winsorised.winsorised_value,
  CASE WHEN winsorised.stocks >= 20
    THEN (winsorised.winsorised_value - spread.mean) / spread.deviation END AS z_score,
  winsorised.stocks
FROM winsorised
JOIN spread ON spread.trading_date = winsorised.trading_date AND spread.factor = winsorised.factor;
COMMENT ON MACRO TABLE mart.factor_score_between IS
  'mart.factor_score for the sessions from the first date to the second: one session answers at once.';
