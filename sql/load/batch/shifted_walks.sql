-- A record that moves between pages during a walk is received twice or never, and the service's count stays
-- the same. A complete walk with fewer distinct records than were counted is incomplete: those that were
-- received on several pages stand where others were missed. Records that one page repeats did not move.
-- Bound: the walks with a count, their records and that count as a JSON array
-- reads: batch_page, repeated_key, staged_record
-- writes: walk_answer
UPDATE walk_answer AS answer
SET state = 'incomplete', reason = shifted.rows || ' rows where itemsCount says ' || shifted.items
FROM (
  WITH counted_walk AS (
    SELECT unnest(from_json(?, '[{"walk": "VARCHAR", "rows": "BIGINT", "items": "BIGINT"}]'),
      recursive := true)
  ), moved_record AS (
    SELECT page.walk, count(DISTINCT request_id) - 1 AS repeats
    FROM staged_record
    SEMI JOIN repeated_key USING ($key)
    JOIN batch_page page USING (request_id)
    WHERE reason IS NULL
    GROUP BY page.walk, $key
  )
  SELECT walk, any_value(rows) - CAST(sum(repeats) AS BIGINT) AS rows, any_value(items) AS items
  FROM counted_walk JOIN moved_record USING (walk)
  GROUP BY walk
  HAVING sum(repeats) > 0
) shifted
WHERE shifted.walk = answer.walk AND answer.state = 'complete' AND shifted.rows < shifted.items;
