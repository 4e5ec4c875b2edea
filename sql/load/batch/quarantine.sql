-- Rejected records → ops.quarantine. A record that is stored already with the same text and reason is not
-- stored again.
-- reads: ops.quarantine, staged_record, variable dataset
-- writes: ops.dirty_partition, ops.quarantine
INSERT INTO ops.quarantine BY NAME
SELECT getvariable('dataset') AS dataset, reason, payload, ordinal, request_id, received_at AS loaded_at
FROM staged_record
WHERE reason IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM ops.quarantine stored
  WHERE stored.dataset = getvariable('dataset') AND stored.reason = staged_record.reason
    AND stored.payload = staged_record.payload
);

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'ops.quarantine', month_of_instant(received_at) FROM staged_record WHERE reason IS NOT NULL;
