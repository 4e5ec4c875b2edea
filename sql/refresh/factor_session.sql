-- grain: one row per session whose factors a changed input may change
-- Reads changed_input, the rows of sql/refresh/changed_input.sql.
WITH session AS (
  SELECT trading_date FROM market.price_limit
  UNION
  SELECT trading_date FROM market.daily_summary
  UNION
  SELECT trading_date FROM mart.session_factor
)
SELECT trading_date
FROM session
SEMI JOIN changed_input
  ON session.trading_date >= changed_input.day
    AND session.trading_date <= changed_input.day + changed_input.reach
