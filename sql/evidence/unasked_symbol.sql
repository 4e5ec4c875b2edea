-- Symbols that an answer for the whole market should have a daily summary of, and whose candles nobody has
-- requested: bars then show whether they traded
-- reads: evidence_omission, limit_row, market.daily_summary, market.price_limit, market.security, own_window
-- reads: summary_row
-- writes: answered_summary, unasked_symbol, whole_session

-- grain: one row per day with the daily summaries of the whole market: how many, and whether symbols without
--   trades are among them
CREATE OR REPLACE TEMP TABLE answered_summary AS
SELECT summary_row.day, count(*) AS rows, bool_or(coalesce(total_match, 0) = 0) AS has_untraded
FROM summary_row
JOIN own_window answer
  ON answer.dataset = 'securitiesSummary' AND answer.key = '*' AND answer.day = summary_row.day
    AND answer.state = 'complete'
GROUP BY ALL;

-- grain: one row per session with a daily summary of at least 98 % of the listed symbols that have price
--   limits: the service then sends summaries of symbols without trades too (where it does not, a tenth or
--   more of the symbols of UPCOM lack one every day)
CREATE OR REPLACE TEMP TABLE whole_session AS
SELECT band.trading_date AS day
FROM market.price_limit band
SEMI JOIN market.security listed ON listed.symbol = band.symbol AND listed.is_listed
LEFT JOIN market.daily_summary stored
  ON stored.symbol = band.symbol AND stored.trading_date = band.trading_date
WHERE band.trading_date BETWEEN getvariable('evidence_first') - 10 AND getvariable('evidence_last')
GROUP BY ALL
HAVING count(stored.symbol) >= 0.98 * count(*);

-- grain: one row per listed symbol and day without a daily summary, whose candles were never requested: few
--   of those with price limits where symbols without trades have summaries; all of those with price limits on
--   that day or on the session before where another session within ten days is whole
CREATE OR REPLACE TEMP TABLE unasked_symbol AS
WITH session_before AS (
  SELECT answered_summary.day, max(band.trading_date) AS before
  FROM answered_summary
  JOIN market.price_limit band
    ON band.trading_date BETWEEN answered_summary.day - 10 AND answered_summary.day - 1
  WHERE band.trading_date BETWEEN getvariable('evidence_first') - 10 AND getvariable('evidence_last')
  GROUP BY ALL
), expected AS (
  SELECT symbol, day, true AS has_limits FROM limit_row
  UNION ALL
  SELECT band.symbol, session_before.day, false
  FROM session_before JOIN market.price_limit band ON band.trading_date = session_before.before
  ANTI JOIN limit_row ON limit_row.symbol = band.symbol AND limit_row.day = session_before.day
), without_summary AS (
  SELECT expected.symbol, expected.day, expected.has_limits, answered_summary.rows,
    answered_summary.has_untraded,
    count(*) FILTER (expected.has_limits) OVER (PARTITION BY expected.day) AS symbols,
    EXISTS (
      FROM whole_session
      WHERE whole_session.day <> expected.day
        AND whole_session.day BETWEEN expected.day - 10 AND expected.day + 10
    ) AS is_of_whole_service
  FROM expected
  JOIN answered_summary USING (day)
  JOIN market.security security ON security.symbol = expected.symbol AND security.is_listed
  ANTI JOIN summary_row
    ON summary_row.symbol = expected.symbol AND summary_row.day = expected.day
  ANTI JOIN evidence_omission omission
    ON omission.dataset = 'securitiesSummary' AND omission.symbol = expected.symbol
      AND omission.day = expected.day
  WHERE coalesce(security.last_trading_date >= expected.day, true)
)
SELECT without_summary.symbol, without_summary.day
FROM without_summary
ANTI JOIN own_window asked
  ON asked.dataset = 'ohlc' AND asked.timeframe = '1m' AND asked.key = without_summary.symbol
    AND asked.day = without_summary.day AND asked.state <> 'unasked'
WHERE (is_of_whole_service OR (has_limits AND has_untraded AND symbols <= greatest(3, rows // 50)))
  AND (getvariable('candles_follow')
    OR day IN (
      SELECT day FROM own_window WHERE dataset = 'ohlc' AND timeframe = '1m' AND state <> 'unasked'));
