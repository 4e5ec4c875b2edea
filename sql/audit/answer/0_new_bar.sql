-- grain: one row per symbol, timeframe and session to check that has bars of the runs being checked
--   (is_of_checked_run, written so that DuckDB skips blocks of earlier pages).
--   rows, sum: as sql/audit/inputs/session.sql hashes them
CREATE OR REPLACE TEMP TABLE new_bar AS
SELECT symbol, timeframe, trading_date, count(*) AS rows, sum(hash(request_id)) AS sum
FROM market.candle
WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
  AND trading_date IN (SELECT trading_date FROM audit_session)
  AND request_id >= getvariable('audit_new_from')
GROUP BY ALL;
