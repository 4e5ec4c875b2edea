-- grain: one row per page being loaded, with the window it was asked for. Bound: the pages as a JSON array
-- writes: batch_page
CREATE OR REPLACE TEMP TABLE batch_page AS
SELECT unnest(from_json(?, '[{
  "number": "INTEGER",
  "is_columns": "BOOLEAN",
  "request_id": "VARCHAR",
  "walk": "VARCHAR",
  "file": "VARCHAR",
  "received_at": "TIMESTAMPTZ",
  "as_of": "DATE",
  "window_key": "VARCHAR",
  "window_timeframe": "VARCHAR",
  "window_from": "DATE",
  "window_to": "DATE",
  "rows": "BIGINT"
}]'), recursive := true);
