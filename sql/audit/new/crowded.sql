-- grain: one row per session to check of which more than half of the symbols are touched: checking each of
--   them as it was and as it is would cost more than checking all once
WITH answered AS (
  SELECT trading_date, count(DISTINCT key) AS symbols FROM audit_bar_coverage GROUP BY trading_date
), touched AS (
  SELECT trading_date, count(*) AS symbols FROM touched_symbol GROUP BY trading_date
)
SELECT CAST(touched.trading_date AS VARCHAR) AS day
FROM touched LEFT JOIN answered USING (trading_date)
WHERE touched.symbols * 2 > coalesce(answered.symbols, 0)
ORDER BY day;
