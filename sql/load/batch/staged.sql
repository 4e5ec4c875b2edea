-- grain: one row per record of the batch, typed; reason is null if it is valid. At first those of the pages
-- that were read first
-- reads: typed_record
-- writes: staged_record
CREATE OR REPLACE TEMP TABLE staged_record AS
SELECT *, NULL::VARCHAR AS payload FROM typed_record;
