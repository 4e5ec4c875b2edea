-- Returns pages of which other than their records were read, with the reason
-- reads: batch_page, read_record
WITH staged AS (
  SELECT request_id, count(*) AS rows FROM read_record WHERE ordinal > 0 GROUP BY ALL
)
SELECT request_id, page.rows || ' records landed, ' || coalesce(staged.rows, 0) || ' read' AS line
FROM batch_page page
LEFT JOIN staged USING (request_id)
WHERE page.rows <> coalesce(staged.rows, 0)
ORDER BY ALL;
