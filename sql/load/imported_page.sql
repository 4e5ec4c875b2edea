-- grain: one row per page that came from a user's file, of all that were loaded before this batch
CREATE OR REPLACE TEMP TABLE imported_page AS
SELECT request_id FROM ops.request WHERE endpoint = 'import';
