-- grain: one row per record of a user's file of corporate actions, as a page being loaded has it. Reads
--   file_record
CREATE OR REPLACE TEMP VIEW page_record AS
SELECT 'file' AS request_id, CAST(json_extract_string(record, '$.line') AS BIGINT) AS ordinal,
  CAST(NULL AS TIMESTAMPTZ) AS received_at, from_json(record, $structure) AS r
FROM file_record;
