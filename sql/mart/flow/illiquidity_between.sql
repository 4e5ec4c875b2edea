-- grain: one row per symbol and trading_date with a close, of the dates asked for
-- mart.illiquidity for the sessions from first_session to last_session; one session of all symbols is
-- cheaper here, since no more than the 120 days before it are read.
CREATE OR REPLACE MACRO mart.illiquidity_between(first_session, last_session) AS TABLE
WITH price_move AS (
  SELECT factor.symbol, factor.trading_date, factor.close_return_1, summary.total_match_value,
    CASE WHEN summary.total_match > 0 AND summary.total_match_value > 0
      THEN abs(factor.close_return_1) / (CAST(summary.total_match_value AS DOUBLE) / 1e9)
    END AS illiquidity_1
  FROM mart.session_factor factor
  JOIN market.daily_summary summary
    ON summary.symbol = factor.symbol AND summary.trading_date = factor.trading_date
  WHERE factor.close IS NOT NULL
    AND factor.trading_date BETWEEN CAST(first_session AS DATE) - 120 AND CAST(last_session AS DATE)
), move_frame AS (
  SELECT *,
    -- days as a number: a range of intervals casts every date to an instant
    count(*) OVER (PARTITION BY symbol ORDER BY trading_date - DATE '1970-01-01'
      RANGE BETWEEN 120 PRECEDING AND CURRENT ROW) AS sessions,
    -- sessions that are read for the windows of later ones need none of their own
    CASE WHEN trading_date >= CAST(first_session AS DATE) THEN least(20, sessions) - 1 ELSE 0 END AS back_20,
    CASE WHEN trading_date >= CAST(first_session AS DATE) THEN least(60, sessions) - 1 ELSE 0 END AS back_60
  FROM price_move
), move_sum AS (
  SELECT symbol, trading_date, close_return_1, total_match_value, illiquidity_1,
    count(illiquidity_1) OVER moves_20 AS sessions_20, avg(illiquidity_1) OVER moves_20 AS mean_20,
    count(illiquidity_1) OVER moves_60 AS sessions_60, avg(illiquidity_1) OVER moves_60 AS mean_60
  FROM move_frame
  WINDOW moves_20 AS (PARTITION BY symbol
      ORDER BY trading_date ROWS BETWEEN back_20 PRECEDING AND CURRENT ROW),
    moves_60 AS (PARTITION BY symbol ORDER BY trading_date ROWS BETWEEN back_60 PRECEDING AND CURRENT ROW)
)
SELECT symbol, trading_date, mart.instrument_kind(symbol, NULL) AS kind, close_return_1, total_match_value,
  illiquidity_1,
  CASE WHEN sessions_20 >= 15 THEN mean_20 END AS illiquidity_20, sessions_20,
  CASE WHEN sessions_60 >= 45 THEN mean_60 END AS illiquidity_60, sessions_60
FROM move_sum
WHERE trading_date >= CAST(first_session AS DATE);
COMMENT ON MACRO TABLE mart.illiquidity_between IS
  'mart.illiquidity for the sessions from the first date to the second: one session of all symbols answers '
  'at once.';
