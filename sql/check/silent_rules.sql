-- grain: one row per rule of severity error and session that it could not be evaluated for, although the data
--   that it needs should be there
-- What should be there: the data of the datasets that were requested for the session, where symbols
-- traded; of values that a service need not report (rooms, counts of records), those that it reported
-- within 45 days. Sessions that only a user's file has are not judged.
-- Bound: the days as a JSON array
WITH checked_day AS (
  SELECT unnest(from_json($1, '["DATE"]')) AS day
), silent AS (
  SELECT rule, trading_date AS day FROM recon.finding
  WHERE severity = 'error' AND subject = 'market' AND state = 'not_evaluable'
    AND trading_date IN (FROM checked_day)
), traded AS (
  SELECT symbol, trading_date AS day FROM market.daily_summary
  WHERE trading_date IN (SELECT day FROM silent) AND total_match > 0
), answered AS (
  SELECT dataset, key, timeframe, window_from AS day, row_count
  FROM ops.coverage
  WHERE window_from IN (SELECT day FROM silent) AND state IN ('complete', 'empty', 'incomplete')
), traded_day AS (
  SELECT DISTINCT day FROM traded SEMI JOIN (FROM answered WHERE dataset = 'securitiesSummary') USING (day)
), expected AS (
  SELECT 1 AS rule, day FROM traded_day
  UNION ALL
  SELECT DISTINCT 2, answered.day FROM answered SEMI JOIN traded_day USING (day)
  WHERE dataset = 'masterdata' AND row_count > 0
  UNION ALL
  SELECT DISTINCT unnest([8, 11]), answered.day
  FROM answered
  JOIN traded ON traded.symbol = answered.key AND traded.day = answered.day
  JOIN market.security listed ON listed.symbol = traded.symbol
  WHERE answered.dataset = 'ohlc' AND answered.timeframe = '1m' AND answered.row_count > 0
    AND listed.board IN ('HOSE', 'HNX', 'UPCOM')
  UNION ALL
  SELECT DISTINCT 13, traded.day
  FROM traded
  JOIN market.daily_summary earlier
    ON earlier.symbol = traded.symbol AND earlier.trading_date < traded.day
      AND earlier.trading_date >= traded.day - 45
  SEMI JOIN traded_day ON traded_day.day = traded.day
  WHERE earlier.total_foreign_room > 0 AND earlier.remain_foreign_room IS NOT NULL
  UNION ALL
  SELECT DISTINCT 21, traded_day.day
  FROM traded_day
  JOIN recon.finding earlier
    ON earlier.rule = 21 AND earlier.subject = 'market' AND earlier.trading_date < traded_day.day
      AND earlier.trading_date >= traded_day.day - 45
  WHERE earlier.state <> 'not_evaluable'
)
SELECT rule, CAST(day AS VARCHAR) AS day FROM silent SEMI JOIN expected USING (rule, day) ORDER BY rule, day;
