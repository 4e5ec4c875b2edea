-- Texts of rejected records, cut from their pages → temp table staged. Bound: them as a JSON array.
UPDATE staged SET payload = cut.payload
FROM (SELECT unnest(from_json(?, '[{"id": "VARCHAR", "ordinal": "BIGINT", "payload": "VARCHAR"}]'), recursive := true)) cut
WHERE staged.request_id = cut.id AND staged.ordinal = cut.ordinal;
