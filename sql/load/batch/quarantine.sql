-- Rejected records, and records that are loaded without a field → ops.quarantine. A record that is stored
-- already with the same text and reason is not stored again.
-- reads: noisy_value, ops.quarantine, staged_record, variable dataset
-- writes: ops.dirty_partition, ops.quarantine, quarantined_record

-- grain: one row per record that goes to quarantine
CREATE OR REPLACE TEMP TABLE quarantined_record AS
WITH noisy_record AS (
  SELECT request_id, ordinal,
    string_agg(field || ': ''' || value || ''' has binary noise', '; ' ORDER BY field)
      || '; the record is loaded without the field' || CASE WHEN count(*) > 1 THEN 's' ELSE '' END AS reason
  FROM noisy_value GROUP BY ALL
)
SELECT reason, payload, ordinal, request_id, received_at FROM staged_record WHERE reason IS NOT NULL
UNION ALL
SELECT noisy_record.reason, payload, ordinal, request_id, received_at
FROM noisy_record JOIN staged_record USING (request_id, ordinal);

INSERT INTO ops.quarantine BY NAME
SELECT getvariable('dataset') AS dataset, reason, payload, ordinal, request_id, received_at AS loaded_at
FROM quarantined_record
WHERE NOT EXISTS (
  SELECT 1 FROM ops.quarantine stored
  WHERE stored.dataset = getvariable('dataset') AND stored.reason = quarantined_record.reason
    AND stored.payload = quarantined_record.payload
);

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'ops.quarantine', month_of_instant(received_at) FROM quarantined_record;
