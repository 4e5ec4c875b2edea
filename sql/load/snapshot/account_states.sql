-- grain: one row per account of the snapshot being loaded; account_no is * where not even the list of
-- accounts came. Bound: the accounts as a JSON array
-- writes: account_state
CREATE OR REPLACE TEMP TABLE account_state AS
SELECT unnest(from_json(?, '[{
  "account_no": "VARCHAR",
  "snapshot_id": "VARCHAR",
  "key_name": "VARCHAR",
  "as_of": "DATE",
  "state": "VARCHAR",
  "missing": "VARCHAR",
  "row_count": "BIGINT",
  "request_id": "VARCHAR",
  "received_at": "TIMESTAMPTZ"
}]'), recursive := true);
