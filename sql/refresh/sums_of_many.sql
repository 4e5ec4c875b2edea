-- grain: one row per symbol (and index) and session to refresh, of each window
-- A part of sql/mart/materialized/session_factor.sql. By windows over all rows, of which frames are empty but
-- for the sessions to refresh: the cheaper way from a dozen sessions on.
listed_frame AS (
  SELECT *, CASE WHEN is_target THEN least(20, count(*) OVER (PARTITION BY symbol ORDER BY trading_date
    RANGE BETWEEN INTERVAL 120 DAY PRECEDING AND CURRENT ROW)) ELSE 0 END - 1 AS back_20
  FROM listed_session
), liquidity_sum AS (
  SELECT symbol, trading_date, is_known,
    count(volume) OVER last_20 AS sessions_20,
    count(*) FILTER (WHERE volume = 0) OVER last_20 AS zero_trade_days_20,
    sum(volume) OVER last_20 / nullif(count(volume) OVER last_20, 0) AS mean_volume_20,
    median(volume) OVER last_20 AS median_volume_20,
    CAST(sum(value) OVER last_20 AS DOUBLE) / nullif(count(value) OVER last_20, 0) AS mean_value_20,
    median(CAST(value AS DOUBLE)) OVER last_20 AS median_value_20,
    sum(deal_volume) OVER last_20 / nullif(count(deal_volume) OVER last_20, 0) AS mean_deal_volume_20,
    CAST(sum(deal_value) OVER last_20 AS DOUBLE)
      / nullif(count(deal_value) OVER last_20, 0) AS mean_deal_value_20
  FROM listed_frame
  WINDOW last_20 AS (PARTITION BY symbol
    ORDER BY trading_date ROWS BETWEEN back_20 PRECEDING AND CURRENT ROW)
  QUALIFY is_target
), foreign_frame AS (
  SELECT *,
    count(*) OVER (PARTITION BY symbol ORDER BY trading_date
      RANGE BETWEEN INTERVAL 120 DAY PRECEDING AND CURRENT ROW) AS sessions,
    row_number() OVER (PARTITION BY symbol ORDER BY trading_date) AS session,
    CASE WHEN is_target THEN least(5, sessions) ELSE 0 END - 1 AS back_5,
    CASE WHEN is_target THEN least(20, sessions) ELSE 0 END - 1 AS back_20,
    CASE WHEN is_target THEN sessions ELSE 0 END - 1 AS back_all
  FROM foreign_session
), foreign_sum AS (
  SELECT symbol, trading_date, net_value,
    CASE WHEN count(net_volume) OVER last_5 = 5 THEN sum(net_volume) OVER last_5 END AS net_volume_5,
    CASE WHEN count(net_value) OVER last_5 = 5 THEN sum(net_value) OVER last_5 END AS net_value_5,
    CASE WHEN count(net_volume) OVER last_20 = 20 THEN sum(net_volume) OVER last_20 END AS net_volume_20,
    CASE WHEN count(net_value) OVER last_20 = 20 THEN sum(net_value) OVER last_20 END AS net_value_20,
    session - coalesce(max(session) FILTER (WHERE NOT coalesce(net_value > 0, false)) OVER history,
      session - sessions) AS sessions_buying,
    session - coalesce(max(session) FILTER (WHERE NOT coalesce(net_value < 0, false)) OVER history,
      session - sessions) AS sessions_selling
  FROM foreign_frame
  WINDOW last_5 AS (PARTITION BY symbol
      ORDER BY trading_date ROWS BETWEEN back_5 PRECEDING AND CURRENT ROW),
    last_20 AS (PARTITION BY symbol ORDER BY trading_date ROWS BETWEEN back_20 PRECEDING AND CURRENT ROW),
    history AS (PARTITION BY symbol ORDER BY trading_date ROWS BETWEEN back_all PRECEDING AND CURRENT ROW)
  QUALIFY is_target
), traded_frame AS (
  SELECT *,
    count(*) OVER (PARTITION BY symbol ORDER BY trading_date
      RANGE BETWEEN INTERVAL 120 DAY PRECEDING AND CURRENT ROW) AS sessions,
    CASE WHEN is_target THEN sessions ELSE 0 END - 1 AS back_all,
    row_number() OVER (PARTITION BY symbol ORDER BY trading_date) AS session
  FROM traded_session
), limit_run AS (
  SELECT symbol, trading_date, ceiling, floor, close,
    session - coalesce(max(session) FILTER (WHERE coalesce(close < ceiling, true)) OVER history,
      session - sessions) AS sessions_above,
    session - coalesce(max(session) FILTER (WHERE coalesce(close > floor, true)) OVER history,
      session - sessions) AS sessions_below
  FROM traded_frame
  WINDOW history AS (PARTITION BY symbol ORDER BY trading_date
    ROWS BETWEEN back_all PRECEDING AND CURRENT ROW)
  QUALIFY is_target
), close_frame AS MATERIALIZED (
  SELECT symbol, trading_date, is_target, close, log_adjustment, believed_reference,
    count(*) OVER (PARTITION BY symbol ORDER BY trading_date
      RANGE BETWEEN INTERVAL 395 DAY PRECEDING AND CURRENT ROW) AS sessions
  FROM close_history
), earlier_close AS (
  SELECT symbol, trading_date, close, log_adjustment, believed_reference,
    CASE WHEN sessions > 1 THEN lag(close) OVER history END AS close_1,
    lag(log_adjustment) OVER history AS log_1,
    CASE WHEN sessions > 5 THEN lag(close, 5) OVER history END AS close_5,
    lag(log_adjustment, 5) OVER history AS log_5,
    CASE WHEN sessions > 20 THEN lag(close, 20) OVER history END AS close_20,
    lag(log_adjustment, 20) OVER history AS log_20,
    CASE WHEN sessions > 60 THEN lag(close, 60) OVER history END AS close_60,
    lag(log_adjustment, 60) OVER history AS log_60,
    CASE WHEN sessions > 120 THEN lag(close, 120) OVER history END AS close_120,
    lag(log_adjustment, 120) OVER history AS log_120,
    CASE WHEN sessions > 250 THEN lag(close, 250) OVER history END AS close_250,
    lag(log_adjustment, 250) OVER history AS log_250
  FROM close_frame
  WINDOW history AS (PARTITION BY symbol ORDER BY trading_date)
  QUALIFY is_target
), volatility_frame AS (
  SELECT *,
    count(*) OVER (PARTITION BY symbol ORDER BY trading_date
      RANGE BETWEEN INTERVAL 120 DAY PRECEDING AND CURRENT ROW) AS sessions,
    CASE WHEN is_target THEN least(20, sessions) ELSE 0 END - 1 AS back_20,
    CASE WHEN is_target THEN least(60, sessions) ELSE 0 END - 1 AS back_60
  FROM volatility_session
), volatility_sum AS (
  SELECT symbol, trading_date,
    count(log_return) OVER last_20 AS returns_20, count(log_return) OVER last_60 AS returns_60,
    sum(log_return) OVER last_20 AS return_sum_20, sum(log_return) OVER last_60 AS return_sum_60,
    sum(log_return * log_return) OVER last_20 AS square_sum_20,
    sum(log_return * log_return) OVER last_60 AS square_sum_60,
    count(squared_range) OVER last_20 AS ranges_20, count(squared_range) OVER last_60 AS ranges_60,
    sum(squared_range) OVER last_20 AS range_sum_20, sum(squared_range) OVER last_60 AS range_sum_60,
    count(realised_variance) OVER last_20 AS variances_20,
    count(realised_variance) OVER last_60 AS variances_60,
    sum(realised_variance) OVER last_20 AS variance_sum_20,
    sum(realised_variance) OVER last_60 AS variance_sum_60
  FROM volatility_frame
  WINDOW last_20 AS (PARTITION BY symbol
      ORDER BY trading_date ROWS BETWEEN back_20 PRECEDING AND CURRENT ROW),
    last_60 AS (PARTITION BY symbol ORDER BY trading_date ROWS BETWEEN back_60 PRECEDING AND CURRENT ROW)
  QUALIFY is_target
), range_frame AS (
  SELECT *,
    CASE WHEN is_target THEN count(*) OVER (PARTITION BY symbol ORDER BY trading_date
      RANGE BETWEEN INTERVAL 364 DAY PRECEDING AND CURRENT ROW) ELSE 0 END - 1 AS back_52w
  FROM range_session
), range_before AS (
  SELECT symbol, trading_date, log_close, log_high, log_low,
    max(log_high) OVER weeks_before AS high_before, min(log_low) OVER weeks_before AS low_before,
    count(log_high) OVER weeks_before AS sessions_before
  FROM range_frame
  WINDOW weeks_before AS (PARTITION BY symbol
    ORDER BY trading_date ROWS BETWEEN back_52w PRECEDING AND 1 PRECEDING)
  QUALIFY is_target
), pair_frame AS (
  SELECT *, count(*) OVER (PARTITION BY symbol, index_code ORDER BY trading_date
      RANGE BETWEEN INTERVAL 395 DAY PRECEDING AND CURRENT ROW) AS sessions,
    CASE WHEN is_target THEN least(120, sessions) ELSE 0 END - 1 AS back_120,
    CASE WHEN is_target THEN least(250, sessions) ELSE 0 END - 1 AS back_250
  FROM return_pair
), pair_sum AS (
  SELECT symbol, index_code, trading_date,
    count(x) OVER last_120 AS n_120, sum(x) OVER last_120 AS x_120, sum(y) OVER last_120 AS y_120,
    sum(x * x) OVER last_120 AS xx_120, sum(x * y) OVER last_120 AS xy_120,
    sum(y * y) OVER last_120 AS yy_120,
    count(x) OVER last_250 AS n_250, sum(x) OVER last_250 AS x_250, sum(y) OVER last_250 AS y_250,
    sum(x * x) OVER last_250 AS xx_250, sum(x * y) OVER last_250 AS xy_250, sum(y * y) OVER last_250 AS yy_250
  FROM pair_frame
  WINDOW last_120 AS (PARTITION BY symbol, index_code
      ORDER BY trading_date ROWS BETWEEN back_120 PRECEDING AND CURRENT ROW),
    last_250 AS (PARTITION BY symbol, index_code
      ORDER BY trading_date ROWS BETWEEN back_250 PRECEDING AND CURRENT ROW)
  QUALIFY is_target
)
