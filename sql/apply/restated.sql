-- A daily summary that changed casts doubt on the session's candles: they are asked again while the service
-- still serves them. What a file had said before was no statement of the service. Reads temp table changed (of
-- market.daily_summary) and variable as_of.
UPDATE ops.coverage AS coverage
SET state = 'incomplete', reason = 'its daily summary was restated', reason_code = 'summary_restated'
FROM changed
WHERE coverage.dataset = 'ohlc' AND coverage.key = changed.symbol AND coverage.window_from = changed.trading_date
  AND coverage.state IN ('complete', 'empty') AND NOT changed.was_imported
  AND (coverage.expires_on IS NULL OR coverage.expires_on > getvariable('as_of'));
