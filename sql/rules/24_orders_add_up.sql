-- grain: one row per order of a complete snapshot, and one per account whose order pages told a total
-- rule: 24
-- title: filled + cancelled ≤ quantity, filled never falls, order_id names one order, rows = totalRecord
-- severity: warn
-- about: accounts
-- needs: a complete snapshot with orders, or with a counted order book
-- why: an order cannot trade more than it asked; pages of the order book are known to be unreliable
--   (docs/market-facts.md#order-book-paging), and a lost or doubled order would show as an unexplained
--   position
-- tolerance: none; a total is compared with the orders that were kept, each once, and with the last walk's page
WITH mine AS (
  SELECT orders.*, judged.as_of, told.order_id IS NOT NULL AS was_told, told.filled_qty AS filled_before,
    told.symbol AS symbol_before, told.side AS side_before
  FROM judged_account judged
  JOIN account.order_book orders ON orders.snapshot_id = judged.snapshot_id AND orders.account_no = judged.account_no
  LEFT JOIN account.order_book told ON told.snapshot_id = judged.before_id AND told.account_no = orders.account_no AND told.order_id = orders.order_id
  WHERE judged.state = 'complete'
), twice AS (
  SELECT order_id, count(*) AS accounts FROM mine GROUP BY order_id
), judged_order AS (
  SELECT mine.*, twice.accounts,
    num(coalesce(filled_qty, 0)) + num(coalesce(cancel_qty, 0)) AS ended
  FROM mine JOIN twice USING (order_id)
), counted AS (
  -- The latest page that tells a total, of the walk that was walked last.
  SELECT judged.account_no, judged.snapshot_id, judged.as_of, arg_max(request.items_count, (request.received_at, request.request_id)) AS items
  FROM judged_account judged
  JOIN ops.request request ON request.run_id = judged.snapshot_id AND request.endpoint = 'orderBook'
    AND json_extract_string(TRY_CAST(request.query AS JSON), '$.accountNo') = judged.account_no
  WHERE judged.state = 'complete' AND request.items_count IS NOT NULL
  GROUP BY ALL
), held AS (
  SELECT account_no, count(*) AS orders FROM mine GROUP BY account_no
)
SELECT as_of AS trading_date, account_no AS subject, 'account.order_book' AS relation,
  account_key_of(account_no, 'order_id', order_id) AS key,
  CASE
    WHEN accounts > 1 THEN 'one account'
    WHEN was_told AND (symbol, side) IS DISTINCT FROM (symbol_before, side_before) THEN symbol_before || ' ' || side_before
    WHEN was_told AND filled_qty < filled_before THEN 'filled at least ' || told(filled_before)
    ELSE 'filled and cancelled at most ' || told(quantity)
  END AS expected,
  CASE
    WHEN accounts > 1 THEN accounts || ' accounts'
    WHEN was_told AND (symbol, side) IS DISTINCT FROM (symbol_before, side_before) THEN symbol || ' ' || side
    WHEN was_told AND filled_qty < filled_before THEN 'filled ' || told(filled_qty)
    ELSE told(ended)
  END AS actual,
  CASE WHEN was_told AND filled_qty < filled_before THEN num(filled_qty) - num(filled_before) ELSE ended - num(quantity) END AS residual,
  CASE
    WHEN accounts > 1 OR was_told AND (symbol, side) IS DISTINCT FROM (symbol_before, side_before)
      OR was_told AND filled_qty < filled_before OR ended > quantity OR filled_qty < 0 OR cancel_qty < 0 THEN 'break'
    WHEN quantity IS NOT NULL THEN 'pass'
  END AS verdict
FROM judged_order
UNION ALL
SELECT as_of, account_no, 'account.order_book', account_key(account_no),
  told(items) || ' orders', told(coalesce(orders, 0)) || ' orders', coalesce(orders, 0) - items,
  CASE WHEN coalesce(orders, 0) = items THEN 'pass' ELSE 'break' END
FROM counted LEFT JOIN held USING (account_no)
