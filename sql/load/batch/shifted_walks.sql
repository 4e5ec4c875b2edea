-- A record that moves between pages during a walk is received twice or never, and the service's count stays
-- the same. A complete walk with fewer distinct records than were counted is incomplete: those that were
-- received on several pages stand where others were missed. Records that one page repeats did not move.
-- reads: batch_page, repeated_key, staged_record
-- writes: shifted_walk, walk_answer

-- grain: one row per walk with records that came on several pages: how many times too often
CREATE OR REPLACE TEMP TABLE shifted_walk AS
WITH moved_record AS (
  SELECT page.walk, count(DISTINCT request_id) - 1 AS repeats
  FROM staged_record
  SEMI JOIN repeated_key USING ($key)
  JOIN batch_page page USING (request_id)
  WHERE reason IS NULL
  GROUP BY page.walk, $key
)
SELECT walk, CAST(sum(repeats) AS BIGINT) AS repeats
FROM moved_record
GROUP BY walk
HAVING sum(repeats) > 0;

UPDATE walk_answer AS answer
SET state = 'incomplete', reason = received - repeats || ' rows where itemsCount says ' || items_count
FROM shifted_walk shifted
WHERE shifted.walk = answer.walk AND state = 'complete' AND received - repeats < items_count;
