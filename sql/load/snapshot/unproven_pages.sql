-- Pages of the snapshot that are not JSON → rejected_record: one of position 0 each. Bound: the pages as a
-- JSON array
-- writes: rejected_record
INSERT INTO rejected_record BY NAME
SELECT unnest(from_json(?, '[{
  "dataset": "VARCHAR",
  "reason": "VARCHAR",
  "payload": "VARCHAR",
  "request_id": "VARCHAR",
  "received_at": "TIMESTAMPTZ"
}]'), recursive := true), 0::BIGINT AS ordinal;
