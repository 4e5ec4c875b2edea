-- grain: one row per session to check: a hash of all rows that its rules read, within their reach
-- (sql/rules/README.md). Rows of the market are hashed by their page, because a changed row has another page.
-- Coverage and pages are hashed by their counts and states, because every night requests some sessions again.
-- Lists are hashed as they were on the session.
WITH source_hash AS (
  SELECT 'market.daily_summary' AS name, trading_date, false AS is_own, count(*) AS rows,
    sum(hash(request_id)) AS sum
  FROM market.daily_summary
  WHERE trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
  GROUP BY trading_date
  UNION ALL
  SELECT 'market.price_limit', trading_date, false, count(*), sum(hash(request_id))
  FROM market.price_limit
  WHERE trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
  GROUP BY trading_date
  UNION ALL
  SELECT 'market.index_summary', trading_date, false, count(*), sum(hash(request_id))
  FROM market.index_summary
  WHERE trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
  GROUP BY trading_date
  UNION ALL
  -- rules read only the number of 1d bars of earlier sessions
  SELECT '1d', trading_date, false, count(*), 0
  FROM market.candle
  WHERE trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
    AND timeframe = '1d'
  GROUP BY trading_date
  UNION ALL
  SELECT 'market.candle', trading_date, true, count(*), sum(hash(request_id))
  FROM market.candle
  WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
  GROUP BY trading_date
  UNION ALL
  SELECT 'earlier coverage', window_from, false, count(*),
    sum(hash(dataset, key, timeframe, window_to, state))
  FROM ops.coverage
  WHERE window_from BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
    AND (dataset = 'securitiesSummary' OR state = 'imported')
  GROUP BY window_from
  UNION ALL
  SELECT 'ops.coverage', trading_date, true, count(*),
    sum(hash(dataset, key, timeframe, state, reason, row_count))
  FROM audit_coverage GROUP BY trading_date
  UNION ALL
  SELECT 'ops.request', answer.trading_date, true, count(*),
    sum(hash(answer.dataset, answer.key, answer.timeframe, page.page, page.row_count, page.items_count,
      page.pages_count, page.page_size))
  FROM audit_coverage answer
  JOIN audit_page answered USING (request_id)
  JOIN audit_page page ON page.walk = answered.walk
  GROUP BY answer.trading_date
  UNION ALL
  -- without symbols that were listed later and have no rows on that session
  SELECT 'market.security_history', trading_date, true, count(*), sum(hash(instrument))
  FROM instrument
  WHERE is_listed IS NOT NULL OR first_trading_date IS NULL OR first_trading_date <= trading_date
    OR (symbol, trading_date) IN (
      SELECT (symbol, trading_date) FROM market.daily_summary
      WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
      UNION ALL
      SELECT (symbol, trading_date) FROM market.price_limit
      WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
    )
  GROUP BY trading_date
  UNION ALL
  SELECT 'market.index_member', audit_session.trading_date, true, count(*), sum(hash(index_code, symbol))
  FROM audit_session JOIN market.index_member member
    ON member.valid_from <= audit_session.trading_date
      AND coalesce(member.valid_to > audit_session.trading_date, true)
  GROUP BY audit_session.trading_date
)
SELECT CAST(audit_session.trading_date AS VARCHAR) AS day,
  sha256(string_agg(
    concat_ws(' ', source_hash.name, source_hash.trading_date, source_hash.rows, source_hash.sum), chr(10)
    ORDER BY source_hash.name, source_hash.trading_date)) AS inputs
FROM audit_session LEFT JOIN source_hash
  ON source_hash.trading_date <= audit_session.trading_date
    AND source_hash.trading_date >= audit_session.trading_date
      - CASE WHEN source_hash.is_own THEN 0 ELSE getvariable('audit_back') END
GROUP BY audit_session.trading_date
