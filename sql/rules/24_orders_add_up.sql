-- grain: one row per order of a complete snapshot, and one per account whose order pages report a total
-- rule: 24
-- title: filled + cancelled ≤ quantity, filled never falls, order_id names one order, rows = totalRecord
-- severity: warn
-- about: accounts
-- reach: back 0 days, forward 0 days, snapshot before
-- needs: a complete snapshot with orders, or with a counted order book
-- why: an order cannot trade more than it asked; pages of the order book are known to be unreliable
--   (docs/market-facts.md#order-book-paging), and a lost or doubled order would show as an unexplained
--   position
-- evidence: none measured
-- tolerance: none; a total is compared with the orders that were kept, each once, and with the last walk's
--   page
WITH account_order AS (
  SELECT orders.*, snapshot.as_of, order_before.order_id IS NOT NULL AS was_reported,
    order_before.filled_qty AS filled_before,
    order_before.symbol AS symbol_before, order_before.side AS side_before
  FROM audit_account snapshot
  JOIN account.order_book orders
    ON orders.snapshot_id = snapshot.snapshot_id AND orders.account_no = snapshot.account_no
  LEFT JOIN account.order_book order_before
    ON order_before.snapshot_id = snapshot.before_id AND order_before.account_no = orders.account_no
      AND order_before.order_id = orders.order_id
  WHERE snapshot.state = 'complete'
), order_use AS (
  SELECT order_id, count(*) AS accounts FROM account_order GROUP BY order_id
), order_check AS (
  SELECT account_order.*, order_use.accounts,
    num(coalesce(filled_qty, 0)) + num(coalesce(cancel_qty, 0)) AS ended
  FROM account_order JOIN order_use USING (order_id)
), reported_total AS (
  -- The latest page with a total, of the last walk.
  SELECT snapshot.account_no, snapshot.snapshot_id, snapshot.as_of,
    arg_max(request.items_count, (request.received_at, request.request_id)) AS items
  FROM audit_account snapshot
  JOIN ops.request request ON request.run_id = snapshot.snapshot_id AND request.endpoint = 'orderBook'
    AND json_extract_string(TRY_CAST(request.query AS JSON), '$.accountNo') = snapshot.account_no
  WHERE snapshot.state = 'complete' AND request.items_count IS NOT NULL
  GROUP BY ALL
), order_count AS (
  SELECT account_no, count(*) AS orders FROM account_order GROUP BY account_no
)
SELECT as_of AS trading_date, account_no AS subject, 'account.order_book' AS relation,
  account_key_of(account_no, 'order_id', order_id) AS key,
  CASE
    WHEN accounts > 1 THEN 'one account'
    WHEN was_reported AND (symbol, side) IS DISTINCT FROM (symbol_before, side_before)
      THEN symbol_before || ' ' || side_before
    WHEN was_reported AND filled_qty < filled_before THEN 'filled at least ' || as_text(filled_before)
    ELSE 'filled and cancelled at most ' || as_text(quantity)
  END AS expected,
  CASE
    WHEN accounts > 1 THEN accounts || ' accounts'
    WHEN was_reported AND (symbol, side) IS DISTINCT FROM (symbol_before, side_before)
      THEN symbol || ' ' || side
    WHEN was_reported AND filled_qty < filled_before THEN 'filled ' || as_text(filled_qty)
    ELSE as_text(ended)
  END AS actual,
  CASE
    WHEN was_reported AND filled_qty < filled_before THEN num(filled_qty) - num(filled_before)
    ELSE ended - num(quantity)
  END AS residual,
  CASE
    WHEN accounts > 1 OR was_reported AND (symbol, side) IS DISTINCT FROM (symbol_before, side_before)
      OR was_reported AND filled_qty < filled_before OR ended > quantity OR filled_qty < 0 OR cancel_qty < 0
        THEN 'break'
    WHEN quantity IS NOT NULL THEN 'pass'
  END AS result
FROM order_check
UNION ALL
SELECT as_of, account_no, 'account.order_book', account_key(account_no),
  as_text(items) || ' orders', as_text(coalesce(orders, 0)) || ' orders', coalesce(orders, 0) - items,
  CASE WHEN coalesce(orders, 0) = items THEN 'pass' ELSE 'break' END
FROM reported_total LEFT JOIN order_count USING (account_no)
