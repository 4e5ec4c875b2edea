-- Rejected records → ops.quarantine. Reads temp table staged and variable dataset. A record that another
-- answer already brought, word for word and for the same reason, is kept once.
INSERT INTO ops.quarantine BY NAME
SELECT getvariable('dataset') AS dataset, reason, payload, ordinal, request_id, received_at AS loaded_at
FROM staged
WHERE reason IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM ops.quarantine held
  WHERE held.dataset = getvariable('dataset') AND held.reason = staged.reason AND held.payload = staged.payload
);
