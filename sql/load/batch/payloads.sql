-- Texts of rejected records, cut from their pages → staged_record. Bound: the texts as a JSON array
-- writes: staged_record
UPDATE staged_record SET payload = cut.payload
FROM (
  SELECT unnest(from_json(?, '[{"id": "VARCHAR", "ordinal": "BIGINT", "payload": "VARCHAR"}]'),
    recursive := true)
) cut
WHERE staged_record.request_id = cut.id AND staged_record.ordinal = cut.ordinal;
