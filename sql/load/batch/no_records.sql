-- grain: one row per record of the pages being read: none, where DuckDB reads no page whole. r is the record
-- with the dataset's fields as text
-- reads: batch_page
-- writes: page_record
CREATE OR REPLACE TEMP VIEW page_record AS
SELECT batch_page.*, 0::BIGINT AS ordinal, NULL::$record AS r FROM batch_page WHERE false;
