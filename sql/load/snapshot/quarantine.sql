-- Rejected records of an account's pages → ops.quarantine. A record that another answer already brought, word
-- for word and for the same reason, is stored once.
-- reads: ops.quarantine, rejected_record
-- writes: ops.dirty_partition, ops.quarantine
INSERT INTO ops.quarantine BY NAME
SELECT dataset, reason, payload, ordinal, request_id, received_at AS loaded_at
FROM rejected_record
WHERE NOT EXISTS (
  SELECT 1 FROM ops.quarantine stored
  WHERE stored.dataset = rejected_record.dataset AND stored.reason = rejected_record.reason
    AND stored.payload = rejected_record.payload
);

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'ops.quarantine', month_of_instant(received_at) FROM rejected_record;
