-- Pages that are not JSON → staged_record: one rejected record of position 0 each. Bound: the pages as a JSON
-- array
-- reads: batch_page
-- writes: staged_record
INSERT INTO staged_record BY NAME
WITH unproven AS (
  SELECT unnest(from_json(?, '[{"request_id": "VARCHAR", "reason": "VARCHAR", "payload": "VARCHAR"}]'),
    recursive := true)
)
SELECT unproven.*, 0::BIGINT AS ordinal, page.received_at
FROM unproven
JOIN batch_page page USING (request_id);
