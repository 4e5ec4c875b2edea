-- A holding has closed at its ceiling or floor for two sessions or longer
-- key: symbol, trading_date
--
-- streak counts closes in a row: above 0 at the ceiling, below 0 at the floor.
WITH latest_day AS (
  SELECT account_no, max(trading_date) AS trading_date
  FROM mart.account_day
  GROUP BY account_no
), holding AS (
  SELECT DISTINCT symbol
  FROM mart.account_position
  SEMI JOIN latest_day USING (account_no, trading_date)
  WHERE quantity <> 0
)
SELECT symbol, trading_date, close, streak
FROM mart.limit_hit
WHERE trading_date = mart.latest_session() AND abs(streak) >= 2 AND symbol IN (FROM holding)
ORDER BY symbol
