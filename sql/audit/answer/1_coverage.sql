-- grain: one row per dataset but bars, key and session to check that was requested of the service. Imported
--   windows are not checked: a file may have any part of a session
CREATE OR REPLACE TEMP TABLE audit_coverage AS
SELECT dataset, key, timeframe, window_from AS trading_date, state, reason, row_count, request_id
FROM ops.coverage
WHERE window_from BETWEEN getvariable('audit_first') AND getvariable('audit_last')
  AND state <> 'imported' AND dataset IN ('securitiesSummary', 'indexSummary', 'masterdata')
  AND window_from IN (SELECT trading_date FROM audit_session);
