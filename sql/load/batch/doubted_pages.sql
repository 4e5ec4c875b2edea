-- Returns pages that hold a rejected record, or of which other than all records were read: they are read
-- again, record by record
-- reads: batch_page, staged_record
SELECT request_id
FROM batch_page page
LEFT JOIN (
  SELECT request_id, count(*) AS rows, count(reason) AS rejected FROM staged_record GROUP BY ALL
) staged USING (request_id)
WHERE NOT page.is_columns AND (page.rows <> coalesce(staged.rows, 0) OR staged.rejected > 0);
