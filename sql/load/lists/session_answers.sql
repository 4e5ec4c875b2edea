-- grain: one row per list: state and reason of its answer. A stored row that a list does not name has ended
-- only if the list is complete and long enough.
-- reads: batch_page, lost_session, market.index_member, market.market_index, market.security, received_row
-- reads: staged_record, variable as_of, variable dataset, walk_answer
-- writes: session_answer
CREATE OR REPLACE TEMP TABLE session_answer AS
WITH received_count AS (
  SELECT page.walk, count(*) AS rows FROM received_row JOIN batch_page page USING (request_id) GROUP BY ALL
), rejected_count AS (
  SELECT page.walk, count(*) AS rows,
    min(nullif(regexp_extract(staged_record.reason, '^(\w+)(: | is missing)', 1), '')) AS field
  FROM staged_record JOIN batch_page page USING (request_id)
  WHERE staged_record.reason IS NOT NULL
  GROUP BY ALL
), stored_member AS (
  SELECT board AS key FROM market.security WHERE is_listed AND getvariable('dataset') = 'securities'
  UNION ALL
  SELECT index_code FROM market.index_member
  WHERE valid_to IS NULL AND getvariable('dataset') = 'indexMembers'
  UNION ALL
  SELECT '*' FROM market.market_index WHERE is_listed AND getvariable('dataset') = 'indexes'
), stored_count AS (
  SELECT key, count(*) AS rows FROM stored_member GROUP BY ALL
), counted_list AS (
  SELECT answer.*,
    coalesce(received_count.rows, 0) AS row_count, coalesce(rejected_count.rows, 0) AS rejected,
    rejected_count.field AS rejected_field,
    coalesce(stored_count.rows, 0) AS stored, lost_session.reason AS lost
  FROM walk_answer answer
  LEFT JOIN received_count USING (walk)
  LEFT JOIN rejected_count USING (walk)
  LEFT JOIN stored_count USING (key)
  LEFT JOIN lost_session USING (walk)
), checked_list AS (
  SELECT *, CASE
    WHEN state NOT IN ('complete', 'empty') THEN NULL
    WHEN row_count = 0 AND stored > 0 THEN 'names nothing where ' || stored || ' are held'
    WHEN lost IS NOT NULL OR rejected > 0
      THEN concat_ws('; ', lost, CASE WHEN rejected > 0
        THEN rejected || if(rejected = 1, ' record', ' records') || ' rejected'
          || coalesce(': field ' || rejected_field, '') END)
    -- a list that names less than four fifths of the stored members is incomplete; of a short one, a member
    -- may leave
    WHEN stored - row_count > greatest(1, stored // 5)
      THEN 'names ' || row_count || ' where ' || stored || ' are held'
  END AS fault
  FROM counted_list
)
SELECT
  walk, key, timeframe, getvariable('as_of') AS day,
  CASE WHEN fault IS NULL THEN state ELSE 'incomplete' END AS state,
  coalesce(fault, reason) AS reason,
  CASE WHEN lost IS NOT NULL THEN 'field_lost' ELSE reason_code END AS reason_code,
  row_count, received_at, request_id
FROM checked_list;
