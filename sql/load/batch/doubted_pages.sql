-- Pages that hold a rejected record are staged again, record by record: their records go, their ids are returned.
-- reads: staged_record
-- writes: doubted_page, staged_record

-- grain: one row per page with a rejected record
CREATE OR REPLACE TEMP TABLE doubted_page AS
SELECT DISTINCT request_id FROM staged_record WHERE reason IS NOT NULL;

DELETE FROM staged_record WHERE request_id IN (SELECT request_id FROM doubted_page);

SELECT request_id FROM doubted_page;
