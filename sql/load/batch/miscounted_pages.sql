-- Returns pages of which more or fewer records were read than landed, with the reason
-- reads: batch_page, read_record
WITH read_page AS (
  SELECT request_id, count(*) AS rows FROM read_record WHERE ordinal > 0 GROUP BY ALL
)
SELECT request_id, page.rows || ' records landed, ' || coalesce(read_page.rows, 0) || ' read' AS line
FROM batch_page page
LEFT JOIN read_page USING (request_id)
WHERE page.rows <> coalesce(read_page.rows, 0)
ORDER BY ALL;
