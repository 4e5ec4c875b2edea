-- grain: one row per symbol (and index) and session to refresh, of each window
-- A part of sql/mart/materialized/session_factor.sql. By groups of each window's rows; back counts a symbol's
-- sessions from the one to refresh on. One session takes 1.5 CPU-seconds with 1,700 symbols, by windows 3.9.
listed_back AS (
  SELECT row.* EXCLUDE (trading_date), target.trading_date,
    row_number() OVER (PARTITION BY row.symbol, target.trading_date
      ORDER BY row.trading_date DESC) - 1 AS back
  FROM (FROM listed_session WHERE is_target) target
  JOIN listed_session row ON row.symbol = target.symbol
    AND row.trading_date BETWEEN target.trading_date - 120 AND target.trading_date
), liquidity_sum AS (
  SELECT symbol, trading_date,
    any_value(is_known) FILTER (back = 0) AS is_known,
    count(volume) AS sessions_20,
    count(*) FILTER (volume = 0) AS zero_trade_days_20,
    sum(volume) / nullif(count(volume), 0) AS mean_volume_20,
    median(volume) AS median_volume_20,
    CAST(sum(value) AS DOUBLE) / nullif(count(value), 0) AS mean_value_20,
    median(CAST(value AS DOUBLE)) AS median_value_20,
    sum(deal_volume) / nullif(count(deal_volume), 0) AS mean_deal_volume_20,
    CAST(sum(deal_value) AS DOUBLE) / nullif(count(deal_value), 0) AS mean_deal_value_20
  FROM listed_back
  WHERE back < 20
  GROUP BY symbol, trading_date
), foreign_back AS (
  SELECT row.* EXCLUDE (trading_date), target.trading_date,
    row_number() OVER (PARTITION BY row.symbol, target.trading_date
      ORDER BY row.trading_date DESC) - 1 AS back
  FROM (FROM foreign_session WHERE is_target) target
  JOIN foreign_session row ON row.symbol = target.symbol
    AND row.trading_date BETWEEN target.trading_date - 120 AND target.trading_date
), foreign_sum AS (
  SELECT symbol, trading_date,
    any_value(net_value) FILTER (back = 0) AS net_value,
    CASE WHEN count(net_volume) FILTER (back < 5) = 5
      THEN sum(net_volume) FILTER (back < 5) END AS net_volume_5,
    CASE WHEN count(net_value) FILTER (back < 5) = 5
      THEN sum(net_value) FILTER (back < 5) END AS net_value_5,
    CASE WHEN count(net_volume) FILTER (back < 20) = 20
      THEN sum(net_volume) FILTER (back < 20) END AS net_volume_20,
    CASE WHEN count(net_value) FILTER (back < 20) = 20
      THEN sum(net_value) FILTER (back < 20) END AS net_value_20,
    coalesce(min(back) FILTER (NOT coalesce(net_value > 0, false)), count(*)) AS sessions_buying,
    coalesce(min(back) FILTER (NOT coalesce(net_value < 0, false)), count(*)) AS sessions_selling
  FROM foreign_back
  GROUP BY symbol, trading_date
), traded_back AS (
  SELECT row.* EXCLUDE (trading_date), target.trading_date,
    row_number() OVER (PARTITION BY row.symbol, target.trading_date
      ORDER BY row.trading_date DESC) - 1 AS back
  FROM (FROM traded_session WHERE is_target) target
  JOIN traded_session row ON row.symbol = target.symbol
    AND row.trading_date BETWEEN target.trading_date - 120 AND target.trading_date
), limit_run AS (
  SELECT symbol, trading_date,
    any_value(ceiling) FILTER (back = 0) AS ceiling, any_value(floor) FILTER (back = 0) AS floor,
    any_value(close) FILTER (back = 0) AS close,
    coalesce(min(back) FILTER (coalesce(close < ceiling, true)), count(*)) AS sessions_above,
    coalesce(min(back) FILTER (coalesce(close > floor, true)), count(*)) AS sessions_below
  FROM traded_back
  GROUP BY symbol, trading_date
), target_close AS MATERIALIZED (
  SELECT symbol, trading_date, number FROM close_history WHERE is_target
), close_back AS (
  SELECT row.symbol, target.trading_date, row.close, row.log_adjustment, row.believed_reference,
    target.number - row.number AS back
  FROM target_close target
  JOIN close_history row ON row.symbol = target.symbol
    AND row.trading_date BETWEEN target.trading_date - 395 AND target.trading_date
), earlier_close AS (
  SELECT symbol, trading_date,
    any_value(close) FILTER (back = 0) AS close,
    any_value(log_adjustment) FILTER (back = 0) AS log_adjustment,
    any_value(believed_reference) FILTER (back = 0) AS believed_reference,
    any_value(close) FILTER (back = 1) AS close_1, any_value(log_adjustment) FILTER (back = 1) AS log_1,
    any_value(close) FILTER (back = 5) AS close_5, any_value(log_adjustment) FILTER (back = 5) AS log_5,
    any_value(close) FILTER (back = 20) AS close_20, any_value(log_adjustment) FILTER (back = 20) AS log_20,
    any_value(close) FILTER (back = 60) AS close_60, any_value(log_adjustment) FILTER (back = 60) AS log_60,
    any_value(close) FILTER (back = 120) AS close_120,
    any_value(log_adjustment) FILTER (back = 120) AS log_120,
    any_value(close) FILTER (back = 250) AS close_250,
    any_value(log_adjustment) FILTER (back = 250) AS log_250
  FROM close_back
  WHERE back IN (0, 1, 5, 20, 60, 120, 250)
  GROUP BY symbol, trading_date
), volatility_back AS (
  SELECT row.* EXCLUDE (trading_date), target.trading_date, target.number - row.number AS back
  FROM target_close target
  JOIN volatility_session row ON row.symbol = target.symbol
    AND row.trading_date BETWEEN target.trading_date - 120 AND target.trading_date
), volatility_sum AS (
  SELECT symbol, trading_date,
    count(log_return) FILTER (back < 20) AS returns_20, count(log_return) AS returns_60,
    sum(log_return) FILTER (back < 20) AS return_sum_20, sum(log_return) AS return_sum_60,
    sum(log_return * log_return) FILTER (back < 20) AS square_sum_20,
    sum(log_return * log_return) AS square_sum_60,
    count(squared_range) FILTER (back < 20) AS ranges_20, count(squared_range) AS ranges_60,
    sum(squared_range) FILTER (back < 20) AS range_sum_20, sum(squared_range) AS range_sum_60,
    count(realised_variance) FILTER (back < 20) AS variances_20, count(realised_variance) AS variances_60,
    sum(realised_variance) FILTER (back < 20) AS variance_sum_20, sum(realised_variance) AS variance_sum_60
  FROM volatility_back
  WHERE back < 60
  GROUP BY symbol, trading_date
), range_before AS (
  SELECT row.symbol, target.trading_date,
    any_value(log_close) FILTER (row.trading_date = target.trading_date) AS log_close,
    any_value(log_high) FILTER (row.trading_date = target.trading_date) AS log_high,
    any_value(log_low) FILTER (row.trading_date = target.trading_date) AS log_low,
    max(log_high) FILTER (row.trading_date < target.trading_date) AS high_before,
    min(log_low) FILTER (row.trading_date < target.trading_date) AS low_before,
    count(log_high) FILTER (row.trading_date < target.trading_date) AS sessions_before
  FROM target_close target
  JOIN range_session row ON row.symbol = target.symbol
    AND row.trading_date BETWEEN target.trading_date - 364 AND target.trading_date
  GROUP BY row.symbol, target.trading_date
), pair_back AS (
  SELECT row.* EXCLUDE (trading_date), target.trading_date, target.number - row.number AS back
  FROM (FROM return_pair WHERE is_target) target
  JOIN return_pair row ON row.symbol = target.symbol AND row.index_code = target.index_code
    AND row.trading_date BETWEEN target.trading_date - 395 AND target.trading_date
), pair_sum AS (
  SELECT symbol, index_code, trading_date,
    count(x) FILTER (back < 120) AS n_120, sum(x) FILTER (back < 120) AS x_120,
    sum(y) FILTER (back < 120) AS y_120, sum(x * x) FILTER (back < 120) AS xx_120,
    sum(x * y) FILTER (back < 120) AS xy_120, sum(y * y) FILTER (back < 120) AS yy_120,
    count(x) AS n_250, sum(x) AS x_250, sum(y) AS y_250,
    sum(x * x) AS xx_250, sum(x * y) AS xy_250, sum(y * y) AS yy_250
  FROM pair_back
  WHERE back < 250
  GROUP BY symbol, index_code, trading_date
)
