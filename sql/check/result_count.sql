-- grain: one row per subject, session, result and relation of a rule's rows; result warn: a break on a board
--   where the rule warns
WITH $steps checked_row AS (
  $rows
), result_count AS (
  SELECT subject, trading_date, $severity AS result, relation, count(*) AS rows, $reason AS reason
  FROM checked_row
  WHERE checked_row.result IS NOT NULL
  GROUP BY ALL
)
SELECT subject, CAST(trading_date AS VARCHAR) AS day, result, relation, rows, reason
FROM result_count;
