-- grain: one row per account (and ALL) and session of the period, the first included
-- mart.account_growth_between of a relation that is given by name: days has rows of mart.account_return. Who
-- needs both, or several periods, then has them planned and computed once.
-- The period begins with the account's latest session with known equity up to first_session; where there is
-- none, with the first one after it (from_session shows which). Nothing is compounded over a day that is
-- not reconciled: from it on time_weighted is null, and reason has the first such day. Sessions without a
-- complete snapshot are there without figures; the one after them is compared over them. benchmark: the
-- code of an index, else of a symbol (adjusted closes, dividends included, the latest one of 45 days; null
-- where an adjustment since from_session is not known). Indexes are price indexes.
CREATE OR REPLACE MACRO mart.account_growth_of(days, first_session, last_session, benchmark := NULL) AS TABLE
WITH valued_day AS MATERIALIZED (
  FROM query_table(days) WHERE trading_date <= CAST(last_session AS DATE)
), account_start AS (
  SELECT account_no,
    coalesce(max(trading_date) FILTER (WHERE trading_date <= CAST(first_session AS DATE)), min(trading_date))
      AS from_session
  FROM valued_day
  WHERE equity IS NOT NULL
  GROUP BY account_no
), period_day AS (
  SELECT day.account_no, day.account_type, start.from_session, day.trading_date, day.state, day.before_of,
    day.equity, day.trading_date = start.from_session AS is_first,
    CASE WHEN is_first THEN 0 ELSE day.change END AS change,
    CASE WHEN is_first THEN 0 ELSE day.flow END AS flow,
    CASE WHEN is_first THEN 0 ELSE day.costs END AS costs,
    CASE WHEN NOT is_first THEN day.reason END AS reason,
    -- the session after one without a complete snapshot is compared over it
    CASE WHEN is_first OR day.state <> 'complete' THEN 1 ELSE 1 + day.time_weighted END AS factor,
    CASE WHEN factor IS NULL THEN day.trading_date || ': ' || day.reason END AS break_reason
  FROM valued_day day
  LEFT JOIN account_start start ON start.account_no = day.account_no
  WHERE start.from_session IS NULL OR day.trading_date >= start.from_session
), compounded_day AS (
  SELECT * EXCLUDE (reason),
    CASE WHEN equity IS NOT NULL AND count(*) OVER so_far = count(factor) OVER so_far
      THEN product(factor) OVER so_far - 1 END AS time_weighted,
    coalesce(min_by(break_reason, trading_date) OVER so_far, trading_date || ': ' || reason) AS first_reason
  FROM period_day
  WINDOW so_far AS (PARTITION BY account_no ORDER BY trading_date)
), index_level AS (
  SELECT mart.plain_index_code(index_code) AS code, trading_date, CAST(index_value AS DOUBLE) AS level
  FROM market.index_summary
  WHERE mart.plain_index_code(index_code) IN ('VNINDEX', 'VN30', mart.plain_index_code(benchmark))
    AND index_value > 0
), symbol_level AS (
  SELECT trading_date, close_adjusted AS level, is_chain_known
  FROM mart.daily_adjusted
  WHERE symbol = upper(benchmark) AND close > 0 AND trading_date <= CAST(last_session AS DATE)
    AND NOT EXISTS (FROM index_level WHERE code = mart.plain_index_code(benchmark))
), level_day AS (
  SELECT trading_date FROM compounded_day
  UNION
  SELECT from_session FROM compounded_day
), symbol_on_day AS (
  SELECT level_day.trading_date, symbol_level.level, symbol_level.is_chain_known
  FROM level_day
  ASOF JOIN symbol_level ON level_day.trading_date >= symbol_level.trading_date
  WHERE level_day.trading_date - symbol_level.trading_date <= 45
), level_on_day AS MATERIALIZED (
  SELECT level_day.trading_date,
    max(index_level.level) FILTER (WHERE index_level.code = 'VNINDEX') AS vnindex,
    max(index_level.level) FILTER (WHERE index_level.code = 'VN30') AS vn30,
    coalesce(max(index_level.level) FILTER (WHERE index_level.code = mart.plain_index_code(benchmark)),
      any_value(symbol_on_day.level)) AS benchmark_level,
    coalesce(any_value(symbol_on_day.is_chain_known), true) AS is_known
  FROM level_day
  LEFT JOIN index_level ON index_level.trading_date = level_day.trading_date
  LEFT JOIN symbol_on_day ON symbol_on_day.trading_date = level_day.trading_date
  GROUP BY level_day.trading_date
)
SELECT day.account_no, day.account_type, day.from_session, day.trading_date, day.state, day.before_of,
  day.equity, day.change, day.flow, day.costs, day.time_weighted,
  (1 + day.time_weighted) / max(1 + day.time_weighted) OVER so_far - 1 AS drawdown,
  now.vnindex / start.vnindex - 1 AS vnindex_return, now.vn30 / start.vn30 - 1 AS vn30_return,
  CASE WHEN start.is_known THEN now.benchmark_level / start.benchmark_level - 1 END AS benchmark_return,
  day.first_reason AS reason
FROM compounded_day day
LEFT JOIN level_on_day now ON now.trading_date = day.trading_date
LEFT JOIN level_on_day start ON start.trading_date = day.from_session
WINDOW so_far AS (PARTITION BY day.account_no ORDER BY day.trading_date);
COMMENT ON MACRO TABLE mart.account_growth_of IS
  'mart.account_growth_between of days that are given by name: rows of mart.account_return.';
