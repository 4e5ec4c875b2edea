-- grain: one row per window key, timeframe and session: state and reason of its answer. The state of sessions
-- of a user's file is `imported`: rows that a file does not have are not missing.
-- reads: batch_page, lost_session, missing_count, received_row, staged_record, variable dataset, walk_answer
-- reads: walk_day
-- writes: session_answer
CREATE OR REPLACE TEMP TABLE session_answer AS
WITH received_count AS (
  SELECT page.walk, received_row.trading_date AS day, count(*) AS rows
  FROM received_row JOIN batch_page page USING (request_id) GROUP BY ALL
), rejected_count AS (
  -- the day of a record outside of its window is not known: null
  SELECT page.walk,
    CASE WHEN staged_record.trading_date BETWEEN page.window_from AND page.window_to
      THEN staged_record.trading_date END AS day,
    count(*) AS rows,
    min(nullif(regexp_extract(staged_record.reason, '^(\w+)(: | is missing)', 1), '')) AS field
  FROM staged_record JOIN batch_page page USING (request_id)
  WHERE staged_record.reason IS NOT NULL
  GROUP BY ALL
), answered_day AS (
  SELECT walk, day FROM walk_day UNION SELECT walk, day FROM received_count
), counted_session AS (
  SELECT
    answer.*, answered_day.day,
    coalesce(received_count.rows, 0) AS row_count,
    -- a record whose day cannot be read may belong to any session of its window
    coalesce(rejected_count.rows, 0)
      + CASE WHEN state = 'imported' THEN 0 ELSE coalesce(undated_count.rows, 0) END AS rejected_rows,
    coalesce(rejected_count.field, undated_count.field) AS rejected_field,
    coalesce(missing.rows, 0) AS missing, coalesce(missing.stored, 0) AS stored,
    lost_session.reason AS lost
  FROM walk_answer answer
  JOIN answered_day USING (walk)
  LEFT JOIN received_count
    ON received_count.walk = answer.walk AND received_count.day = answered_day.day
  LEFT JOIN rejected_count
    ON rejected_count.walk = answer.walk AND rejected_count.day = answered_day.day
  LEFT JOIN rejected_count undated_count
    ON undated_count.walk = answer.walk AND undated_count.day IS NULL
  LEFT JOIN missing_count missing ON missing.walk = answer.walk AND missing.day = answered_day.day
  LEFT JOIN lost_session ON lost_session.walk = answer.walk AND lost_session.day = answered_day.day
), checked_session AS (
  SELECT *, CASE
    WHEN state = 'refused' THEN reason
    WHEN state = 'incomplete' THEN reason
    WHEN state = 'imported'
      THEN CASE WHEN rejected_rows > 0
        THEN rejected_rows || if(rejected_rows = 1, ' record', ' records') || ' rejected' END
    WHEN received_at < exchange_close(day) THEN 'asked before the session closed'
    WHEN lost IS NOT NULL OR rejected_rows > 0
      THEN concat_ws('; ', lost, CASE WHEN rejected_rows > 0
        THEN rejected_rows || if(rejected_rows = 1, ' record', ' records') || ' rejected'
          || coalesce(': field ' || rejected_field, '') END)
    -- if more than a fifth of the stored rows is missing, the answer is incomplete: rows were not withdrawn
    WHEN row_count > 0 AND missing > greatest(1, stored // 5)
      THEN 'lacks ' || missing || ' of ' || stored || ' rows held'
    -- an answer for all symbols, or for an index, that has nothing where rows are stored
    WHEN row_count = 0 AND missing > 0 AND state IN ('complete', 'empty')
      AND (key = '*' OR getvariable('dataset') = 'indexSummary')
      THEN 'has no rows where ' || stored || ' are stored'
  END AS fault
  FROM counted_session
)
SELECT
  walk, key, timeframe, day,
  CASE
    WHEN state IN ('refused', 'imported') THEN state
    WHEN fault IS NOT NULL THEN 'incomplete'
    WHEN row_count = 0 THEN 'empty'
    ELSE 'complete'
  END AS state,
  fault AS reason, CASE WHEN lost IS NOT NULL THEN 'field_lost' ELSE reason_code END AS reason_code,
  row_count, received_at, request_id
FROM checked_session;
