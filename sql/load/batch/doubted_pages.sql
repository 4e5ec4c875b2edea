-- Pages that hold a rejected record, or of which other than all records were read, are staged again, record
-- by record: their records go, their ids are returned.
-- reads: batch_page, staged_record
-- writes: doubted_page, staged_record

-- grain: one row per page to read again
CREATE OR REPLACE TEMP TABLE doubted_page AS
SELECT request_id
FROM batch_page page
LEFT JOIN (
  SELECT request_id, count(*) AS rows, count(reason) AS rejected FROM staged_record GROUP BY ALL
) staged USING (request_id)
WHERE NOT page.is_columns AND (page.rows <> coalesce(staged.rows, 0) OR staged.rejected > 0);

DELETE FROM staged_record WHERE request_id IN (SELECT request_id FROM doubted_page);

SELECT request_id FROM doubted_page;
