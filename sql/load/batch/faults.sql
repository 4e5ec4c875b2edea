-- Reasons of records whose fields cannot be read → staged_record
-- reads: single_record
-- writes: staged_record
UPDATE staged_record SET reason = single_record.fault
FROM single_record
WHERE single_record.fault IS NOT NULL AND single_record.request_id = staged_record.request_id
  AND single_record.ordinal = staged_record.ordinal;
