-- grain: one row per order, as its latest snapshot has it, the latest first
-- Of one account, or of all: ALL.
SELECT account_no, order_id, symbol, side, order_type, quantity, price, filled_qty, cancel_qty, avg_price,
  order_status, input_at, modified_at, message
FROM account.order_book
WHERE $account IN ('ALL', account_no)
QUALIFY row_number() OVER (PARTITION BY account_no, order_id ORDER BY snapshot_id DESC) = 1
ORDER BY input_at DESC NULLS LAST, account_no, order_id
LIMIT 500
