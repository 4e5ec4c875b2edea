-- grain: one row per page of a user's file that was loaded before this batch
-- reads: ops.request
-- writes: imported_page
CREATE OR REPLACE TEMP TABLE imported_page AS
SELECT request_id FROM ops.request WHERE endpoint = 'import';
