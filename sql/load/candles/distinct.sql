-- grain: one row per key of the dataset: bars of which it is known that no key came twice (src/load/candles)
-- reads: read_record
-- writes: received_row
CREATE OR REPLACE TEMP VIEW received_row AS
SELECT * FROM read_record WHERE reason IS NULL;
