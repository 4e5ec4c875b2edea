-- grain: one row per order record of the pages being loaded; reason is null if it is valid
-- reads: snapshot_record
-- writes: typed_record
-- written by make sql from packages/foundation/src/fields: change the table of fields, not this file
CREATE OR REPLACE TEMP TABLE typed_record AS
WITH typed AS (
  SELECT
    request_id, ordinal, received_at, r,
    account_no,
    nullif(r.clientRequestId, '') AS client_request_id,
    nullif(r.orderId, '') AS order_id,
    nullif(r.symbol, '') AS symbol,
    nullif(r.side, '') AS side,
    nullif(r.orderType, '') AS order_type,
    parse_quantity(r.quantity) AS quantity,
    parse_price_or_word(r.price) AS price,
    parse_quantity(r.filledQty) AS filled_qty,
    parse_quantity(r.cancelQty) AS cancel_qty,
    parse_price(r.avgPrice) AS avg_price,
    parse_instant(r.inputTime) AS input_at,
    parse_instant(r.modifiedTime) AS modified_at,
    nullif(r.orderStatus, '') AS order_status,
    nullif(r.message, '') AS message
  FROM snapshot_record
)
SELECT
  request_id, ordinal, received_at, account_no, client_request_id, order_id, symbol, side, order_type,
  quantity, price, filled_qty, cancel_qty, avg_price, input_at, modified_at, order_status, message,
  nullif(concat_ws('; ',
    missing('orderId', order_id),
    unread('quantity', r.quantity, quantity, 'a whole number'),
    unread('filledQty', r.filledQty, filled_qty, 'a whole number'),
    unread('cancelQty', r.cancelQty, cancel_qty, 'a whole number'),
    unread('avgPrice', r.avgPrice, avg_price, 'a plain number with at most 6 decimals'),
    unread('inputTime', r.inputTime, input_at, 'a date and time'),
    unread('modifiedTime', r.modifiedTime, modified_at, 'a date and time')
  ), '') AS reason
FROM typed;
