-- grain: one row per record of the table, typed; reason is null where it can be believed
-- reads: page_record, typed_record
-- writes: staged_$table
CREATE OR REPLACE TEMP TABLE staged_$table AS
SELECT typed.* EXCLUDE (reason), coalesce(page_record.fault, typed.reason) AS reason, page_record.payload
FROM typed_record typed JOIN page_record USING (request_id, ordinal);
