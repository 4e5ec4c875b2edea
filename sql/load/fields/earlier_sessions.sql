-- grain: one row per walk, subject and session: whether an earlier answer filled a column, in that session
-- or in a session shortly before it. Rows of walks before it count as stored: a replay may load them in
-- one batch with it. Imported rows do not count.
-- reads: $relation, batch_page, imported_page, received_row, walk_field
-- writes: earlier_field
CREATE OR REPLACE TEMP TABLE earlier_field AS
WITH received AS (
  SELECT walk_field.place, page.walk, received_row.*
  FROM received_row JOIN batch_page page USING (request_id) JOIN walk_field USING (walk)
), earlier AS (
  SELECT -1 AS place, $subject AS subject, trading_date, $names
  FROM $relation
  WHERE trading_date BETWEEN CAST($first_day AS DATE) - $evidence_days AND CAST($last_day AS DATE)
    AND request_id NOT IN (SELECT request_id FROM imported_page)
  UNION ALL
  SELECT place, $subject, trading_date, $names FROM received
)
SELECT received.walk, received.$subject AS subject, received.trading_date AS day, $had
FROM received
JOIN earlier ON earlier.subject = received.$subject AND earlier.place < received.place
  AND earlier.trading_date BETWEEN received.trading_date - $evidence_days AND received.trading_date
GROUP BY ALL;
