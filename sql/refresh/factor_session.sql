-- grain: one row per session whose factors a changed input may change
-- Reads changed_input, the rows of sql/refresh/changed_input.sql.
-- Sessions of before are not read: a decade has 13 million rows of them.
WITH session AS (
  SELECT trading_date FROM market.price_limit
  WHERE trading_date >= (SELECT min(day) FROM changed_input)
  UNION
  SELECT trading_date FROM market.daily_summary
  WHERE trading_date >= (SELECT min(day) FROM changed_input)
  UNION
  SELECT trading_date FROM mart.session_factor
  WHERE trading_date >= (SELECT min(day) FROM changed_input)
)
SELECT trading_date
FROM session
SEMI JOIN changed_input
  ON session.trading_date >= changed_input.day
    AND session.trading_date <= changed_input.day + changed_input.reach
