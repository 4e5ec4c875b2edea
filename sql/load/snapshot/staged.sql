-- grain: one row per record of the table, typed; reason is null if it is valid
-- reads: snapshot_record, typed_record
-- writes: staged_$table
CREATE OR REPLACE TEMP TABLE staged_$table AS
SELECT typed.* EXCLUDE (reason), coalesce(record.fault, typed.reason) AS reason, record.payload
FROM typed_record typed JOIN snapshot_record record USING (request_id, ordinal);
