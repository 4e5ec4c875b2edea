-- grain: one row per order of the account and snapshot that changed it, the oldest first
SELECT order_id, snapshot_id, order_status, filled_qty, cancel_qty, avg_price, modified_at
FROM account.order_book
WHERE account_no = $account
QUALIFY lag((order_status, filled_qty, cancel_qty)) OVER (PARTITION BY order_id ORDER BY snapshot_id)
  IS DISTINCT FROM (order_status, filled_qty, cancel_qty)
ORDER BY order_id, snapshot_id
LIMIT 1000
