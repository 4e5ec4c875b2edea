-- Returns pages to read again, record by record: they have a rejected record, or the number of records read
-- differs from the number of records of the page
-- reads: batch_page, staged_record
SELECT request_id
FROM batch_page page
LEFT JOIN (
  SELECT request_id, count(*) AS rows, count(reason) AS rejected FROM staged_record GROUP BY ALL
) staged_page USING (request_id)
WHERE NOT page.is_columns AND (page.rows <> coalesce(staged_page.rows, 0) OR staged_page.rejected > 0);
