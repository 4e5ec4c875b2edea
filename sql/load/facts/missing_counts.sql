-- grain: one row per walk and session with rows stored: how many there are, and how many of them are
-- missing in the answer. Imported rows do not count.
-- reads: $relation, imported_page, received_row, walk_answer, walk_day
-- writes: missing_count
CREATE OR REPLACE TEMP TABLE missing_count AS
WITH answer AS (
  SELECT walk_answer.*, walk_day.day FROM walk_answer JOIN walk_day USING (walk)
)
SELECT answer.walk, stored.trading_date AS day, count(*) AS stored,
  count(*) FILTER (WHERE match.trading_date IS NULL) AS rows
FROM $relation stored
JOIN answer ON $in_scope
LEFT JOIN received_row match ON $same_key
WHERE stored.trading_date BETWEEN $first_day AND $last_day
  AND stored.request_id NOT IN (SELECT request_id FROM imported_page)
GROUP BY ALL;
