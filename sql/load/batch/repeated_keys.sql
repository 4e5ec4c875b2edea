-- Pages that shifted between requests repeat rows. Returns how many keys were received more than once. Mostly
-- none: then a view saves a copy of all rows.
-- reads: read_record
-- writes: received_row, repeated_key

-- grain: one row per key that several valid records have
CREATE OR REPLACE TEMP TABLE repeated_key AS
SELECT $key FROM read_record WHERE reason IS NULL GROUP BY ALL HAVING count(*) > 1;

-- grain: one row per key of the dataset: the valid records of the batch
CREATE OR REPLACE TEMP VIEW received_row AS
SELECT * FROM read_record WHERE reason IS NULL;

SELECT count(*) AS keys FROM repeated_key;
