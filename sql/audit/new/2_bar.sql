-- Temp tables of the touched symbols alone: their bars and answers (is_new: of the runs being checked), and
-- their daily summaries.
CREATE OR REPLACE TEMP TABLE touched_bar AS
SELECT *, is_of_checked_run(request_id) AS is_new
FROM market.candle
WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
  AND symbol IN (SELECT symbol FROM touched_symbol)
  AND (symbol, trading_date) IN (SELECT (symbol, trading_date) FROM touched_symbol);
CREATE OR REPLACE TEMP TABLE touched_coverage AS
FROM audit_bar_coverage
WHERE (key, trading_date) IN (SELECT (symbol, trading_date) FROM touched_symbol);
DELETE FROM audit_day
WHERE (symbol, trading_date) NOT IN (SELECT (symbol, trading_date) FROM touched_symbol);
