-- grain: one row per walk of the batch: how it ended, with its last page, how many records
--   its pages have and how many the service counted. Bound: the walks as a JSON array
-- writes: walk_answer
CREATE OR REPLACE TEMP TABLE walk_answer AS
SELECT unnest(from_json(?, '[{
  "walk": "VARCHAR",
  "key": "VARCHAR",
  "timeframe": "VARCHAR",
  "window_from": "DATE",
  "window_to": "DATE",
  "state": "VARCHAR",
  "reason": "VARCHAR",
  "reason_code": "VARCHAR",
  "received": "BIGINT",
  "items_count": "BIGINT",
  "received_at": "TIMESTAMPTZ",
  "request_id": "VARCHAR"
}]'), recursive := true);
