-- grain: one row per order and snapshot that changed it, the oldest first
-- Of one account, or of all: ALL.
SELECT account_no, order_id, snapshot_id, order_status, filled_qty, cancel_qty, avg_price, modified_at
FROM account.order_book
WHERE $account IN ('ALL', account_no)
QUALIFY lag((order_status, filled_qty, cancel_qty))
  OVER (PARTITION BY account_no, order_id ORDER BY snapshot_id)
  IS DISTINCT FROM (order_status, filled_qty, cancel_qty)
ORDER BY account_no, order_id, snapshot_id
LIMIT 1000
