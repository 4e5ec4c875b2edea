-- grain: one row per record of the pages that are read record by record; fault says why one has no readable
-- fields
-- reads: batch_page
-- writes: page_record, single_record
CREATE OR REPLACE TEMP TABLE single_record AS
SELECT page.*, line.ordinal, line.r, line.fault
FROM read_json($file, format = 'newline_delimited', maximum_object_size = $most_bytes, columns = {
  id: 'VARCHAR', ordinal: 'BIGINT', r: $record, fault: 'VARCHAR'}) line
JOIN batch_page page ON page.request_id = line.id;

-- grain: one row per record of the pages being read
CREATE OR REPLACE TEMP VIEW page_record AS
SELECT * EXCLUDE (fault) FROM single_record;
