-- grain: one row per account record of the pages being loaded; reason is null if it is valid
-- reads: snapshot_record
-- writes: typed_record
-- written by make sql from packages/foundation/src/fields: change the table of fields, not this file
CREATE OR REPLACE TEMP TABLE typed_record AS
WITH typed AS (
  SELECT
    request_id, ordinal, received_at, r,
    nullif(r.accountNo, '') AS account_no,
    nullif(r.accountType, '') AS account_type
  FROM snapshot_record
)
SELECT
  request_id, ordinal, received_at, account_no, account_type,
  nullif(concat_ws('; ',
    missing('accountNo', account_no)
  ), '') AS reason
FROM typed;
