-- grain: one row per page of the batch or snapshot, as the ledger keeps it. Bound: the pages as a JSON array
-- writes: recorded_page
CREATE OR REPLACE TEMP TABLE recorded_page AS
SELECT unnest(from_json(?, '[{
  "request_id": "VARCHAR",
  "run_id": "VARCHAR",
  "dataset": "VARCHAR",
  "endpoint": "VARCHAR",
  "query": "VARCHAR",
  "walk": "VARCHAR",
  "page": "INTEGER",
  "attempts": "INTEGER",
  "status": "INTEGER",
  "received_at": "TIMESTAMPTZ",
  "bytes": "BIGINT",
  "row_count": "BIGINT",
  "sha256": "VARCHAR",
  "raw_file": "VARCHAR",
  "drift": "VARCHAR",
  "absent": "VARCHAR",
  "items_count": "BIGINT",
  "pages_count": "BIGINT",
  "page_size": "BIGINT",
  "key_name": "VARCHAR"
}]'), recursive := true);
