-- grain: one row per order of the account, as its latest snapshot has it
SELECT order_id, symbol, side, order_type, quantity, price, filled_qty, cancel_qty, avg_price, order_status,
  input_at, modified_at, message
FROM account.order_book
WHERE account_no = $account
QUALIFY row_number() OVER (PARTITION BY order_id ORDER BY snapshot_id DESC) = 1
ORDER BY input_at DESC NULLS LAST, order_id
LIMIT 500
