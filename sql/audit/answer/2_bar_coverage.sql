-- grain: one row per symbol, timeframe and session to check whose bars were requested of the service.
--   Imported windows are not checked: a file may have any part of a session. is_new: whether the runs being
--   checked were the first to request it. Minutes of the latest sessions are requested again every night:
--   without new bars they count as before.
CREATE OR REPLACE TEMP TABLE audit_bar_coverage AS
SELECT dataset, key, timeframe, window_from AS trading_date, state, reason, row_count, request_id,
  is_of_checked_run(request_id)
    AND (timeframe <> '1m' OR (key, timeframe, window_from) IN (SELECT (symbol, timeframe, trading_date)
      FROM new_bar)) AS is_new
FROM ops.coverage
WHERE window_from BETWEEN getvariable('audit_first') AND getvariable('audit_last')
  AND state <> 'imported' AND dataset = 'ohlc'
  AND window_from IN (SELECT trading_date FROM audit_session);
