-- Rejected records of an account's pages → ops.quarantine. Reads temp table rejected. A record that another answer
-- already brought, word for word and for the same reason, is kept once.
INSERT INTO ops.quarantine BY NAME
SELECT dataset, reason, payload, ordinal, request_id, received_at AS loaded_at
FROM rejected
WHERE NOT EXISTS (
  SELECT 1 FROM ops.quarantine held
  WHERE held.dataset = rejected.dataset AND held.reason = rejected.reason AND held.payload = rejected.payload
);
