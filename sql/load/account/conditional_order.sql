-- grain: one row per conditional order record of the pages being loaded, its params flattened; reason is null
-- if it is valid
-- reads: snapshot_record
-- writes: typed_record
-- written by make sql from packages/foundation/src/fields: change the table of fields, not this file
CREATE OR REPLACE TEMP TABLE typed_record AS
WITH typed AS (
  SELECT
    request_id, ordinal, received_at, account_no AS asked_account, r,
    nullif(r.fcoId, '') AS fco_id,
    nullif(r.username, '') AS username,
    coalesce(nullif(r.accountNo, ''), account_no) AS account_no,
    parse_price_or_word(r.price) AS price,
    parse_price(r.priceSlip) AS price_slip,
    nullif(r.symbol, '') AS symbol,
    nullif(r.orderType, '') AS order_type,
    parse_instant(r."from") AS from_at,
    parse_instant(r."to") AS to_at,
    nullif(r.detail, '') AS detail,
    parse_quantity(r.quantity) AS quantity,
    parse_quantity(r.matchedQuantity) AS matched_quantity,
    nullif(r."type", '') AS type,
    parse_flag(r.isPlaceOrder) AS is_place_order,
    nullif(r.status, '') AS status,
    parse_price(r.stopPrice) AS stop_price,
    nullif(r.side, '') AS side,
    parse_price(r.activePrice) AS active_price,
    parse_price(r.trailingAmount) AS trailing_amount,
    parse_price(r.tpActivePrice) AS tp_active_price,
    parse_price(r.slActivePrice) AS sl_active_price,
    parse_price_or_word(r.tpPrice) AS tp_price,
    parse_price_or_word(r.slPrice) AS sl_price,
    parse_price(r.tpSlip) AS tp_slip,
    parse_price(r.slSlip) AS sl_slip,
    nullif(r."operator", '') AS operator
  FROM snapshot_record
)
SELECT
  request_id, ordinal, received_at, fco_id, username, account_no, price, price_slip, symbol, order_type,
  from_at, to_at, detail, quantity, matched_quantity, type, is_place_order, status, stop_price, side,
  active_price, trailing_amount, tp_active_price, sl_active_price, tp_price, sl_price, tp_slip, sl_slip,
  operator,
  nullif(concat_ws('; ',
    missing('fcoId', fco_id),
    not_asked('accountNo', r.accountNo, asked_account),
    unread('priceSlip', r.priceSlip, price_slip, 'a plain number with at most 6 decimals'),
    unread('from', r."from", from_at, 'a date and time'),
    unread('to', r."to", to_at, 'a date and time'),
    unread('quantity', r.quantity, quantity, 'a whole number'),
    unread('matchedQuantity', r.matchedQuantity, matched_quantity, 'a whole number'),
    unread('isPlaceOrder', r.isPlaceOrder, is_place_order, 'true or false'),
    unread('stopPrice', r.stopPrice, stop_price, 'a plain number with at most 6 decimals'),
    unread('activePrice', r.activePrice, active_price, 'a plain number with at most 6 decimals'),
    unread('trailingAmount', r.trailingAmount, trailing_amount, 'a plain number with at most 6 decimals'),
    unread('tpActivePrice', r.tpActivePrice, tp_active_price, 'a plain number with at most 6 decimals'),
    unread('slActivePrice', r.slActivePrice, sl_active_price, 'a plain number with at most 6 decimals'),
    unread('tpSlip', r.tpSlip, tp_slip, 'a plain number with at most 6 decimals'),
    unread('slSlip', r.slSlip, sl_slip, 'a plain number with at most 6 decimals')
  ), '') AS reason
FROM typed;
