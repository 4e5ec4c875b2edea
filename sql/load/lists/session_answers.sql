-- grain: one row per list answered. Absence means gone only where a list is complete and of a believable
-- length.
-- reads: batch_page, market.index_member, market.security, received_row, staged_record, variable as_of
-- reads: variable dataset, walk_answer
-- writes: session_answer
CREATE OR REPLACE TEMP TABLE session_answer AS
WITH received AS (
  SELECT page.walk, count(*) AS rows FROM received_row JOIN batch_page page USING (request_id) GROUP BY ALL
), rejected AS (
  SELECT page.walk, count(*) AS rows
  FROM staged_record JOIN batch_page page USING (request_id)
  WHERE staged_record.reason IS NOT NULL
  GROUP BY ALL
), member AS (
  SELECT board AS key FROM market.security WHERE is_listed AND getvariable('dataset') = 'securities'
  UNION ALL
  SELECT index_code FROM market.index_member
  WHERE valid_to IS NULL AND getvariable('dataset') = 'indexMembers'
), stored AS (
  SELECT key, count(*) AS rows FROM member GROUP BY ALL
), counted AS (
  SELECT answer.*, coalesce(received.rows, 0) AS row_count, coalesce(rejected.rows, 0) AS rejected,
    coalesce(stored.rows, 0) AS stored
  FROM walk_answer answer
  LEFT JOIN received USING (walk)
  LEFT JOIN rejected USING (walk)
  LEFT JOIN stored USING (key)
), checked AS (
  SELECT *, CASE
    WHEN state <> 'complete' THEN NULL
    WHEN rejected > 0 THEN rejected || ' records rejected'
    -- a list that names less than four fifths of the stored members is not believed
    WHEN row_count < 0.8 * stored THEN 'names ' || row_count || ' where ' || stored || ' are held'
  END AS fault
  FROM counted
)
SELECT
  walk, key, timeframe, getvariable('as_of') AS day,
  CASE WHEN fault IS NULL THEN state ELSE 'incomplete' END AS state,
  coalesce(fault, reason) AS reason,
  row_count, received_at, request_id
FROM checked;
