-- grain: one row per record of the batch, typed; reason is null if it is valid
-- reads: staged_record
-- writes: read_record
CREATE OR REPLACE TEMP VIEW read_record AS
SELECT * FROM staged_record;
