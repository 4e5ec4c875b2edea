-- grain: one row per status history record of the pages being loaded; reason is null if it is valid
-- reads: snapshot_record
-- writes: typed_record
-- written by make sql from packages/foundation/src/fields: change the table of fields, not this file
CREATE OR REPLACE TEMP TABLE typed_record AS
WITH typed AS (
  SELECT
    request_id, ordinal, received_at, r,
    account_no,
    fco_id,
    nullif(r.state, '') AS state,
    parse_instant(r."time") AS occurred_at,
    parse_quantity(r.code) AS code,
    nullif(r.detail, '') AS detail
  FROM snapshot_record
)
SELECT
  request_id, ordinal, received_at, account_no, fco_id, state, occurred_at, code, detail,
  nullif(concat_ws('; ',
    missing('state', state),
    unread('time', r."time", occurred_at, 'a date and time'),
    unread('code', r.code, code, 'a whole number')
  ), '') AS reason
FROM typed;
