-- grain: one row: how many rows of a user's file are of sessions that the service has answered. Reads
--   file_record and the attached database warehouse
WITH imported_page AS (
  SELECT request_id FROM warehouse.ops.request WHERE endpoint = 'import'
), answered_session AS (
  SELECT DISTINCT $subject AS subject, $timeframe AS timeframe, trading_date AS day
  FROM warehouse.$relation
  WHERE trading_date BETWEEN (SELECT min(day) FROM file_record) AND (SELECT max(day) FROM file_record)
    AND request_id NOT IN (SELECT request_id FROM imported_page)
)
SELECT count(*) AS rows
FROM file_record SEMI JOIN answered_session USING (subject, timeframe, day);
