-- grain: one row per relation and session that was requested as a whole
-- rule: 22
-- title: a session has as many rows as those before
-- severity: warn
-- about: market
-- reach: back 45 days, forward 0 days
-- needs: a session requested as a whole, and five sessions before it
-- why: listings come and go by the handful; half a market missing is an alarm even where the service counts
--   it as all. A day for which the service reports no rows may be a holiday that the calendar does not know:
--   soft
-- evidence: none measured
-- tolerance: 5 % beyond the range of up to 20 sessions before; below half of their median is a break
-- Of bars the symbols are counted that have 1m bars, by what the service answered.
WITH session_rows AS (
  SELECT 'market.daily_summary' AS relation, trading_date, count(*) AS rows FROM market.daily_summary
  WHERE trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
  GROUP BY trading_date
  UNION ALL
  SELECT 'market.price_limit', trading_date, count(*) FROM market.price_limit
  WHERE trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
  GROUP BY trading_date
  UNION ALL
  SELECT 'market.candle', window_from, count(*) FROM ops.coverage
  WHERE dataset = 'ohlc' AND timeframe = '1m' AND state <> 'imported' AND row_count > 0
    AND window_from BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
  GROUP BY window_from
  UNION ALL
  SELECT 'market.index_summary', trading_date, count(*) FROM market.index_summary
  WHERE trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
  GROUP BY trading_date
), requested_session AS (
  -- Bars are requested symbol by symbol and indexes one by one: a session counts where most of them were
  -- requested.
  SELECT trading_date, dataset_relation(dataset) AS relation, count(*) AS keys,
    bool_and(state = 'empty') AS closed
  FROM audit_answer
  WHERE state <> 'refused' AND (
    dataset IN ('securitiesSummary', 'masterdata') AND key = '*'
    OR dataset = 'ohlc' AND timeframe = '1m'
    OR dataset = 'indexSummary'
  )
  GROUP BY ALL
), imported_session AS (
  -- Imported sessions, which the service was not asked for: a file may have any part of them.
  SELECT DISTINCT window_from AS trading_date, dataset_relation(dataset) AS relation
  FROM ops.coverage
  WHERE state = 'imported' AND timeframe = ''
    AND window_from BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
), fetched_rows AS (
  FROM session_rows ANTI JOIN imported_session USING (relation, trading_date)
), earlier_session AS (
  SELECT requested_session.relation, requested_session.trading_date, fetched_rows.rows
  FROM requested_session
  JOIN fetched_rows ON fetched_rows.relation = requested_session.relation
    AND fetched_rows.trading_date < requested_session.trading_date
    AND fetched_rows.trading_date >= requested_session.trading_date - getvariable('audit_back')
  WINDOW newest_first AS (
    PARTITION BY requested_session.relation,
    requested_session.trading_date ORDER BY fetched_rows.trading_date DESC
  )
  QUALIFY row_number() OVER newest_first <= 20
), usual_range AS (
  SELECT relation, trading_date, min(rows) AS fewest, max(rows) AS most, median(rows) AS middle
  FROM earlier_session GROUP BY ALL HAVING count(*) >= 5
), comparison AS (
  SELECT usual_range.*, keys, closed, coalesce(session_rows.rows, 0) AS rows
  FROM usual_range JOIN requested_session USING (relation, trading_date)
  LEFT JOIN session_rows USING (relation, trading_date)
)
SELECT trading_date, 'market' AS subject, relation,
  CAST(CASE WHEN relation = 'market.candle'
    THEN json_object('timeframe', '1m', 'trading_date', CAST(trading_date AS VARCHAR))
    ELSE json_object('trading_date', CAST(trading_date AS VARCHAR)) END AS VARCHAR) AS key,
  fewest || ' to ' || most || ' rows' AS expected, rows || ' rows' AS actual,
  CASE WHEN rows < middle THEN rows - fewest ELSE rows - most END AS residual,
  CASE
    WHEN closed AND rows = 0 THEN 'soft'
    WHEN rows * 2 < middle THEN 'break'
    WHEN rows NOT BETWEEN 0.95 * fewest AND 1.05 * most THEN 'soft'
    ELSE 'pass'
  END AS result
FROM comparison
WHERE relation NOT IN ('market.candle', 'market.index_summary') OR keys >= 0.8 * middle
