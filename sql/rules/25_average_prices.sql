-- grain: one row per order of a complete snapshot that is new or has changed, entered in the 45 days before
-- rule: 25
-- title: filled ⇔ avg_price, never worse than the limit, within the day's low and high
-- severity: warn
-- about: accounts
-- reach: back 45 days, forward 0 days, snapshot before
-- needs: a complete snapshot with orders
-- why: fills have a price; a limit order does not trade beyond its limit; trades make the day's low and high
-- evidence: none measured
-- tolerance: half a unit of the fourth decimal (averages come rounded). A limit that was changed after a part
--   had traded can look broken: the price before is not reported. Low and high are compared where the day's
--   summary is stored and the order is a round lot (odd lots trade apart, at prices that low and high leave
--   out); beyond the range is soft: a service may match its clients with each other, or at its quote, in
--   trades that its own summaries do not have (17 of 241 on sandbox, whose market does not hear of its
--   clients' trades)
WITH changed_order AS (
  SELECT orders.*, snapshot.as_of, CAST(mart.exchange_time(orders.input_at) AS DATE) AS entered_on,
    CASE WHEN orders.order_type = 'LO'
      THEN TRY_CAST(replace(orders.price, ',', '') AS DOUBLE) END AS limit_price,
    num(orders.avg_price) AS mean
  FROM audit_account snapshot
  JOIN account.order_book orders
    ON orders.snapshot_id = snapshot.snapshot_id AND orders.account_no = snapshot.account_no
  LEFT JOIN account.order_book order_before
    ON order_before.snapshot_id = snapshot.before_id AND order_before.account_no = orders.account_no
      AND order_before.order_id = orders.order_id
  -- Orders that the snapshot before reported alike were checked with it.
  WHERE (orders.filled_qty, orders.avg_price, orders.price)
    IS DISTINCT FROM (order_before.filled_qty, order_before.avg_price, order_before.price)
    AND snapshot.state = 'complete' AND orders.input_at >= snapshot.as_of - INTERVAL 45 DAY
), comparison AS (
  SELECT changed_order.*, summary.low, summary.high,
    (filled_qty > 0) IS DISTINCT FROM (coalesce(mean, 0) > 0) AS is_priceless,
    coalesce(filled_qty > 0
      AND CASE side WHEN 'B' THEN mean > limit_price + 0.00005 WHEN 'S' THEN mean < limit_price - 0.00005 END,
      false) AS is_worse,
    coalesce(filled_qty > 0
      AND (quantity >= 100 OR mart.instrument_kind(changed_order.symbol, NULL) = 'future')
      AND summary.low > 0 AND summary.high > 0
      AND (mean < summary.low - 0.00005 OR mean > summary.high + 0.00005), false) AS is_outside
  FROM changed_order
  LEFT JOIN market.daily_summary summary
    ON summary.symbol = changed_order.symbol AND summary.trading_date = changed_order.entered_on
    AND summary.trading_date BETWEEN getvariable('audit_earliest') AND getvariable('audit_as_of')
)
SELECT as_of AS trading_date, account_no AS subject, 'account.order_book' AS relation,
  account_key_of(account_no, 'order_id', order_id) AS key,
  CASE
    WHEN is_priceless THEN CASE
      WHEN filled_qty > 0 THEN 'a price of ' || as_text(filled_qty)
      ELSE 'no price'
    END
    WHEN is_worse THEN CASE side WHEN 'B' THEN 'at most ' ELSE 'at least ' END || as_text(limit_price)
    ELSE as_text(low) || ' to ' || as_text(high)
  END AS expected,
  coalesce(as_text(avg_price), 'no price') AS actual,
  CASE
    WHEN is_worse THEN mean - limit_price
    WHEN is_outside THEN greatest(num(low) - mean, mean - num(high))
  END AS residual,
  CASE
    WHEN filled_qty IS NULL THEN NULL
    WHEN is_priceless OR is_worse THEN 'break'
    WHEN is_outside THEN 'soft'
    ELSE 'pass'
  END AS result
FROM comparison
