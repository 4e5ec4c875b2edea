-- grain: one row per key of the table: the valid records of the snapshot
-- reads: staged_$table
-- writes: received_$table, rejected_record
CREATE OR REPLACE TEMP TABLE received_$table AS
SELECT DISTINCT ON ($key) * EXCLUDE (reason, payload$ordinal)
FROM staged_$table
WHERE reason IS NULL
ORDER BY $key, request_id $order, ordinal $order;

INSERT INTO rejected_record BY NAME
SELECT '$part' AS dataset, reason, payload, ordinal, request_id, received_at
FROM staged_$table WHERE reason IS NOT NULL;
