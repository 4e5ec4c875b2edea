-- A fall of all prices by ten percent or less leads to a margin call
-- key: account_no, trading_date
--
-- call_fall is the fall of prices that leads to the call, a fraction; below 0: it is below the level already.
WITH latest_margin AS (
  SELECT account_no, trading_date, ratio, call_ratio, call_fall, call_distance
  FROM mart.account_margin
  QUALIFY trading_date = max(trading_date) OVER (PARTITION BY account_no)
)
SELECT account_no, trading_date, ratio, call_ratio, round(call_fall, 4) AS call_fall, call_distance
FROM latest_margin
WHERE latest_margin.call_fall <= 0.1
ORDER BY account_no
