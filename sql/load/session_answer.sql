-- grain: one row per window key, timeframe and session answered. Reads temp tables walk_answer (how each walk
-- ended), walk_day (sessions of its window), staged and fresh (its records), held_missing (rows held for a
-- session that its answer lacks; what a file brought is not missed). A session of a user's file is imported: the file says
-- nothing about what it does not hold, so it is never complete, empty or short.
CREATE OR REPLACE TEMP TABLE session_answer AS
WITH good AS (
  SELECT page.walk, fresh.trading_date AS day, count(*) AS rows
  FROM fresh JOIN load_page page USING (request_id) GROUP BY ALL
), bad AS (
  -- a record whose day lies outside of the window belongs to a day of it that cannot be told
  SELECT page.walk,
    CASE WHEN staged.trading_date BETWEEN page.window_from AND page.window_to THEN staged.trading_date END AS day,
    count(*) AS rows
  FROM staged JOIN load_page page USING (request_id)
  WHERE staged.reason IS NOT NULL
  GROUP BY ALL
), day AS (
  SELECT walk, day FROM walk_day UNION SELECT walk, day FROM good
), counted AS (
  SELECT
    answer.*, day.day,
    coalesce(good.rows, 0) AS row_count,
    -- a record whose day cannot be read may belong to any session of its window
    coalesce(bad.rows, 0) + CASE WHEN state = 'imported' THEN 0 ELSE coalesce(undated.rows, 0) END AS rejected,
    coalesce(missing.rows, 0) AS missing, coalesce(missing.held, 0) AS held
  FROM walk_answer answer
  JOIN day USING (walk)
  LEFT JOIN good ON good.walk = answer.walk AND good.day = day.day
  LEFT JOIN bad ON bad.walk = answer.walk AND bad.day = day.day
  LEFT JOIN bad undated ON undated.walk = answer.walk AND undated.day IS NULL
  LEFT JOIN held_missing missing ON missing.walk = answer.walk AND missing.day = day.day
), judged AS (
  SELECT *, CASE
    WHEN state = 'refused' THEN reason
    WHEN state = 'incomplete' THEN reason
    WHEN state = 'imported' THEN CASE WHEN rejected > 0 THEN rejected || ' records rejected' END
    -- 15:00 exchange time: the latest close of any board
    WHEN received_at < CAST(day + INTERVAL 8 HOUR AS TIMESTAMPTZ) THEN 'asked before the session closed'
    WHEN rejected > 0 THEN rejected || ' records rejected'
    -- half a market missing is an alarm, not a withdrawal
    WHEN row_count > 0 AND missing > greatest(1, held // 5) THEN 'lacks ' || missing || ' of ' || held || ' rows held'
  END AS fault
  FROM counted
)
SELECT
  walk, key, timeframe, day,
  CASE
    WHEN state IN ('refused', 'imported') THEN state
    WHEN fault IS NOT NULL THEN 'incomplete'
    WHEN row_count = 0 THEN 'empty'
    ELSE 'complete'
  END AS state,
  fault AS reason, row_count, received_at, request_id
FROM judged;
