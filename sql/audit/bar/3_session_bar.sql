-- grain: one row per symbol and session to check that has a 1d bar or, where it has none, all of its 1m bars:
--   the bar that the service reports, or what its minutes add up to
CREATE OR REPLACE TEMP TABLE session_bar AS
WITH whole_minutes AS (
  SELECT symbol, trading_date, first_at AS opened_at, open, high, low, close, volume
  FROM minute_sum
  SEMI JOIN audit_bar_coverage answer
    ON answer.timeframe = '1m' AND answer.state = 'complete'
    AND answer.key = minute_sum.symbol AND answer.trading_date = minute_sum.trading_date
)
SELECT symbol, trading_date, '1d' AS timeframe, opened_at, open, high, low, close, volume FROM day_bar
UNION ALL
SELECT symbol, trading_date, '1m', opened_at, open, high, low, close, volume
FROM whole_minutes ANTI JOIN day_bar USING (symbol, trading_date);
