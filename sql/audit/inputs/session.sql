-- grain: one row per session to check and source of its rules (src/audit/reads.ts): a hash of the rows that
--   they read there. own: those of the session; earlier: also those of the days that rules look back at
--   (sql/rules/README.md); old: those of the session without what the runs being checked brought (new_bar)
-- Rows of the market are hashed by their page, because a changed row has another page. Coverage and pages
-- are hashed by their counts and states, because every night requests some sessions again. Lists are
-- hashed as they were on the session.
WITH source_hash AS (
  SELECT 'market.daily_summary' AS name, trading_date, count(*) AS rows, sum(hash(request_id)) AS sum,
    0 AS new_rows, 0 AS new_sum
  FROM market.daily_summary
  WHERE trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
  GROUP BY trading_date
  UNION ALL
  SELECT 'market.price_limit', trading_date, count(*), sum(hash(request_id)), 0, 0
  FROM market.price_limit
  WHERE trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
  GROUP BY trading_date
  UNION ALL
  SELECT 'market.index_summary', trading_date, count(*), sum(hash(request_id)), 0, 0
  FROM market.index_summary
  WHERE trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
  GROUP BY trading_date
  UNION ALL
  SELECT 'market.candle', trading_date, bars.rows, bars.sum, coalesce(new_bars.rows, 0),
    coalesce(new_bars.sum, 0)
  FROM (
    SELECT trading_date, count(*) AS rows, sum(hash(request_id)) AS sum
    FROM market.candle
    WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
    GROUP BY trading_date
  ) bars
  LEFT JOIN (
    SELECT trading_date, sum(rows) AS rows, sum(sum) AS sum FROM new_bar GROUP BY trading_date
  ) new_bars USING (trading_date)
  UNION ALL
  -- of bars rules look back at the number of symbols that had some, and at the symbols that had none
  SELECT 'ops.coverage', window_from,
    count(*) FILTER (dataset = 'ohlc' AND timeframe = '1m' AND state <> 'imported' AND row_count > 0),
    coalesce(sum(hash(dataset, key, timeframe, window_to, state))
      FILTER (dataset = 'securitiesSummary' OR state = 'imported'), 0)
      + coalesce(sum(DISTINCT hash(key)) FILTER (dataset = 'ohlc' AND state = 'empty'), 0), 0, 0
  FROM ops.coverage
  WHERE window_from BETWEEN getvariable('audit_earliest') AND getvariable('audit_last')
    AND (dataset = 'securitiesSummary' OR state = 'imported'
      OR dataset = 'ohlc' AND (state = 'empty' OR timeframe = '1m' AND row_count > 0))
  GROUP BY window_from
  UNION ALL
  SELECT 'audit_coverage', trading_date, count(*),
    sum(hash(dataset, key, timeframe, state, reason, row_count)), 0, 0
  FROM audit_coverage GROUP BY trading_date
  UNION ALL
  SELECT 'audit_bar_coverage', trading_date, count(*), sum(hash(key, timeframe, state, reason, row_count)),
    count(*) FILTER (is_new),
    coalesce(sum(hash(key, timeframe, state, reason, row_count)) FILTER (is_new), 0)
  FROM audit_bar_coverage GROUP BY trading_date
  UNION ALL
  SELECT 'audit_page', answer.trading_date, count(*), sum(page_hash), count(*) FILTER (is_new),
    coalesce(sum(page_hash) FILTER (is_new), 0)
  FROM (
    SELECT answer.trading_date, coalesce(bar.is_new, false) AS is_new,
      hash(answer.dataset, answer.key, answer.timeframe, page.page, page.row_count, page.items_count,
        page.pages_count, page.page_size) AS page_hash
    FROM audit_answer answer
    LEFT JOIN audit_bar_coverage bar USING (dataset, key, timeframe, trading_date)
    JOIN audit_page answered ON answered.request_id = answer.request_id
    JOIN audit_page page ON page.walk = answered.walk
  ) answer
  GROUP BY trading_date
  UNION ALL
  -- without symbols that were listed later and have no rows on that session
  SELECT 'instrument', trading_date, count(*), sum(hash(instrument)), 0, 0
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
  SELECT 'market.index_member', audit_session.trading_date, count(*), sum(hash(index_code, symbol)), 0, 0
  FROM audit_session JOIN market.index_member member
    ON member.valid_from <= audit_session.trading_date
      AND coalesce(member.valid_to > audit_session.trading_date, true)
  GROUP BY audit_session.trading_date
)
SELECT CAST(audit_session.trading_date AS VARCHAR) AS day, name AS source,
  any_value(concat_ws(' ', rows, sum)) FILTER (source_hash.trading_date = audit_session.trading_date) AS own,
  any_value(concat_ws(' ', nullif(rows - new_rows, 0), nullif(sum - new_sum, 0)))
    FILTER (source_hash.trading_date = audit_session.trading_date) AS old,
  md5(string_agg(concat_ws(' ', source_hash.trading_date, rows, sum), chr(10)
    ORDER BY source_hash.trading_date)) AS earlier
FROM audit_session LEFT JOIN source_hash
  ON source_hash.trading_date <= audit_session.trading_date
    AND source_hash.trading_date >= audit_session.trading_date - getvariable('audit_back')
GROUP BY audit_session.trading_date, name
ORDER BY ALL
