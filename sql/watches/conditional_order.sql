-- A conditional order has sent its child order
-- key: account_no, fco_id
SELECT account_no, fco_id, symbol, side, type, quantity, stop_price, price, status, snapshot_id
FROM account.conditional_order
WHERE is_place_order
QUALIFY row_number() OVER (PARTITION BY account_no, fco_id ORDER BY snapshot_id) = 1
ORDER BY account_no, fco_id
