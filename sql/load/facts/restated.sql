-- After a daily summary was restated, the candles of its session count as incomplete: they are requested
-- again while the service still serves them. A summary that was imported before, or that had lost the fields
-- which it now has, is not a restatement.
-- reads: changed_row, refilled_row, variable as_of
-- writes: ops.coverage, ops.dirty_partition
UPDATE ops.coverage AS coverage
SET state = 'incomplete', reason = 'its daily summary was restated', reason_code = 'summary_restated'
FROM (FROM changed_row ANTI JOIN refilled_row USING (symbol, trading_date)) changed_row
WHERE coverage.dataset = 'ohlc' AND coverage.key = changed_row.symbol
  AND coverage.window_from = changed_row.trading_date
  AND (coverage.state IN ('complete', 'empty') OR coverage.reason_code = 'contradicted')
  AND NOT changed_row.was_imported
  AND (coverage.expires_on IS NULL OR coverage.expires_on > getvariable('as_of'));

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'ops.coverage', month_of_day(trading_date) FROM changed_row;
