-- grain: one row per session and input of mart.session_factor that changed; reach: days after it in which a
--   row may change
-- Limits, bars and answers count in windows of 120 days, and in returns of 45 days before them; prices,
-- events and indexes in windows of 395 days. What the service has answered for changes a session only where a
-- symbol has no summary, and differs from the row stored. A partition is a session, a month or a year. Reads
-- changed_event, the sessions whose adjustment events or glitches changed.
WITH dirty AS (
  SELECT relation,
    CAST(partition || CASE length(partition) WHEN 4 THEN '-01-01' WHEN 7 THEN '-01' ELSE '' END
      AS DATE) AS first_day,
    CASE length(partition)
      WHEN 4 THEN make_date(year(first_day), 12, 31)
      WHEN 7 THEN last_day(first_day)
      ELSE first_day
    END AS final_day
  FROM ops.dirty_partition
  WHERE partition <> 'all'
    AND relation IN ('market.daily_summary', 'market.price_limit', 'market.index_summary', 'ops.coverage',
      'mart.intraday', 'mart.session_factor')
), covered_session AS (
  SELECT DISTINCT key, window_from AS trading_date
  FROM ops.coverage
  JOIN dirty ON dirty.relation = 'ops.coverage' AND window_from BETWEEN dirty.first_day AND dirty.final_day
  WHERE dataset = 'securitiesSummary' AND state IN ('complete', 'empty')
    AND window_from IN (SELECT trading_date FROM market.daily_summary)
), answered_session AS (
  SELECT DISTINCT factor.trading_date
  FROM mart.session_factor factor
  JOIN dirty
    ON dirty.relation = 'ops.coverage' AND factor.trading_date BETWEEN dirty.first_day AND dirty.final_day
  ANTI JOIN market.daily_summary summary
    ON summary.symbol = factor.symbol AND summary.trading_date = factor.trading_date
  LEFT JOIN covered_session whole_market
    ON whole_market.key = '*' AND whole_market.trading_date = factor.trading_date
  LEFT JOIN covered_session single_symbol
    ON single_symbol.key = factor.symbol AND single_symbol.trading_date = factor.trading_date
  WHERE factor.is_known <> (whole_market.key IS NOT NULL OR single_symbol.key IS NOT NULL)
)
SELECT trading_date AS day, 120 AS reach FROM answered_session
UNION
SELECT first_day,
  CAST(final_day - first_day AS INTEGER) + CASE relation WHEN 'mart.session_factor' THEN 0
    WHEN 'mart.intraday' THEN 120 WHEN 'market.price_limit' THEN 165 ELSE 440 END
FROM dirty
WHERE relation <> 'ops.coverage'
UNION
SELECT trading_date, 440 FROM changed_event
