-- grain: one row per dataset with facts of sessions
-- metric: candlehouse_newest_session_timestamp_seconds
-- help: Midnight in Vietnam of the newest trading date that is stored whole.
-- unit: seconds
SELECT dataset, epoch(CAST(max(window_from) AS TIMESTAMP)) - 7 * 3600 AS value FROM ops.coverage
WHERE state = 'complete' AND dataset IN ('securitiesSummary', 'indexSummary', 'masterdata', 'ohlc')
GROUP BY dataset ORDER BY dataset
