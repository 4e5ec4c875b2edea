-- grain: one row per answer of maxBuySell of the pages being loaded; reason is null if it is valid
-- reads: snapshot_record
-- writes: typed_record
-- written by make sql from packages/foundation/src/fields: change the table of fields, not this file
CREATE OR REPLACE TEMP TABLE typed_record AS
WITH typed AS (
  SELECT
    request_id, ordinal, received_at, r,
    account_no,
    symbol,
    price,
    parse_quantity(r.maxBuyQty) AS max_buy_qty,
    parse_ratio(r.marginRatio) AS margin_ratio,
    parse_quantity(r.maxSellQty) AS max_sell_qty,
    parse_money(r.purchasingPower) AS purchasing_power
  FROM snapshot_record
)
SELECT
  request_id, ordinal, received_at, account_no, symbol, price, max_buy_qty, margin_ratio, max_sell_qty,
  purchasing_power,
  nullif(concat_ws('; ',
    unread('maxBuyQty', r.maxBuyQty, max_buy_qty, 'a whole number'),
    unread('marginRatio', r.marginRatio, margin_ratio, 'a plain number'),
    unread('maxSellQty', r.maxSellQty, max_sell_qty, 'a whole number'),
    unread('purchasingPower', r.purchasingPower, purchasing_power, 'a plain number with at most 4 decimals')
  ), '') AS reason
FROM typed;
