-- grain: one row per window key, timeframe and session answered. A session of a user's file is imported: the
-- file says nothing about what it does not hold, so it is never complete, empty or short.
-- reads: batch_page, missing_count, received_row, staged_record, walk_answer, walk_day
-- writes: session_answer
CREATE OR REPLACE TEMP TABLE session_answer AS
WITH believed AS (
  SELECT page.walk, received_row.trading_date AS day, count(*) AS rows
  FROM received_row JOIN batch_page page USING (request_id) GROUP BY ALL
), rejected AS (
  -- a record whose day lies outside of the window belongs to an unknown day of the window
  SELECT page.walk,
    CASE WHEN staged_record.trading_date BETWEEN page.window_from AND page.window_to
      THEN staged_record.trading_date END AS day,
    count(*) AS rows
  FROM staged_record JOIN batch_page page USING (request_id)
  WHERE staged_record.reason IS NOT NULL
  GROUP BY ALL
), answered_day AS (
  SELECT walk, day FROM walk_day UNION SELECT walk, day FROM believed
), counted AS (
  SELECT
    answer.*, answered_day.day,
    coalesce(believed.rows, 0) AS row_count,
    -- a record whose day cannot be read may belong to any session of its window
    coalesce(rejected.rows, 0) + CASE WHEN state = 'imported' THEN 0 ELSE coalesce(undated.rows, 0) END
      AS rejected_rows,
    coalesce(missing.rows, 0) AS missing, coalesce(missing.stored, 0) AS stored
  FROM walk_answer answer
  JOIN answered_day USING (walk)
  LEFT JOIN believed ON believed.walk = answer.walk AND believed.day = answered_day.day
  LEFT JOIN rejected ON rejected.walk = answer.walk AND rejected.day = answered_day.day
  LEFT JOIN rejected undated ON undated.walk = answer.walk AND undated.day IS NULL
  LEFT JOIN missing_count missing ON missing.walk = answer.walk AND missing.day = answered_day.day
), checked AS (
  SELECT *, CASE
    WHEN state = 'refused' THEN reason
    WHEN state = 'incomplete' THEN reason
    WHEN state = 'imported' THEN CASE WHEN rejected_rows > 0 THEN rejected_rows || ' records rejected' END
    -- 15:00 exchange time: the latest close of any board
    WHEN received_at < CAST(day + INTERVAL 8 HOUR AS TIMESTAMPTZ) THEN 'asked before the session closed'
    WHEN rejected_rows > 0 THEN rejected_rows || ' records rejected'
    -- half a market missing is an alarm, not a withdrawal
    WHEN row_count > 0 AND missing > greatest(1, stored // 5)
      THEN 'lacks ' || missing || ' of ' || stored || ' rows held'
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
FROM checked;
