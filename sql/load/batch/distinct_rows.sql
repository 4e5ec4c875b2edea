-- Equal rows of one key are one row. Rows of one key that differ within one answer contradict each other: all
-- of them are rejected.
-- reads: repeated_key, staged_record
-- writes: contradicted_key, distinct_row, received_row, staged_record

-- grain: one row per key whose records differ
CREATE OR REPLACE TEMP TABLE contradicted_key AS
WITH different_record AS (
  SELECT DISTINCT * EXCLUDE (request_id, ordinal, received_at, reason, payload)
  FROM staged_record SEMI JOIN repeated_key USING ($key)
  WHERE reason IS NULL
)
SELECT $key FROM different_record GROUP BY ALL HAVING count(*) > 1;

UPDATE staged_record SET reason = 'the same key twice with different values'
WHERE reason IS NULL AND ($key) IN (SELECT ($key) FROM contradicted_key);

-- grain: one row per key of the dataset: its first valid record
CREATE OR REPLACE TEMP TABLE distinct_row AS
SELECT DISTINCT ON ($key) * FROM staged_record WHERE reason IS NULL ORDER BY $key, request_id, ordinal;

-- grain: one row per key of the dataset
CREATE OR REPLACE TEMP VIEW received_row AS
SELECT * FROM distinct_row;
