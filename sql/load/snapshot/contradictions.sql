-- Records of one key that differ contradict each other: all of them are rejected
-- reads: staged_$table
-- writes: staged_$table
UPDATE staged_$table SET reason = 'the same key twice with different values'
WHERE reason IS NULL AND ($key) IN (
  WITH different_record AS (
    SELECT DISTINCT * EXCLUDE (request_id, received_at, reason, payload$ordinal)
    FROM staged_$table WHERE reason IS NULL
  )
  SELECT ($key) FROM different_record GROUP BY ALL HAVING count(*) > 1
);
