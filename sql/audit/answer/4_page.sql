-- grain: one row per page of a walk that answered for a session to check. Ids rise with the runs: only pages
--   of runs that requested these sessions are read, since a year has a million.
SET VARIABLE audit_page_first = (SELECT regexp_replace(min(request_id), '-[^-]*$', '') FROM audit_answer);
SET VARIABLE audit_page_last = (SELECT max(request_id) FROM audit_answer);
CREATE OR REPLACE TEMP TABLE audit_page AS
WITH page AS (
  SELECT request_id, walk, page, row_count, items_count, pages_count, page_size
  FROM ops.request
  WHERE request_id BETWEEN getvariable('audit_page_first') AND getvariable('audit_page_last')
)
FROM page WHERE walk IN (SELECT walk FROM page SEMI JOIN audit_answer USING (request_id));
