-- grain: one row per equity account and symbol that is stored, or was traded in the session of the snapshot
-- rule: 27
-- title: buying, selling, bought and sold of a position are what the order book reports
-- severity: warn
-- about: equity
-- learning: yes
-- reach: back 45 days, forward 0 days
-- needs: a complete snapshot with positions or with fills
-- why: both come from the same orders; meanings of the fields are inferred from their names
-- evidence: none measured
-- tolerance: none. Working is every status but FF, FFPC, CL, RJ, EX. Today's orders are those entered
--   after the session before (mart.closing_time). A symbol without a position has nothing bought, sold or
--   selling; what is buying of it is not reported, since the list names holdings
WITH account_day AS (
  SELECT snapshot.account_no, snapshot.snapshot_id, snapshot.as_of,
    coalesce((SELECT any_value(previous_date + mart.closing_time(previous_date)) FROM audit_session
      WHERE audit_session.trading_date = snapshot.as_of),
      CAST(snapshot.as_of AS TIMESTAMP)) AS opens_at
  FROM audit_account snapshot WHERE state = 'complete' AND side = 'equity'
), order_total AS (
  SELECT account_day.account_no, orders.symbol,
    sum(CASE
      WHEN side = 'B' AND NOT is_terminal(order_status)
        THEN num(quantity) - num(coalesce(filled_qty, 0)) - num(coalesce(cancel_qty, 0))
      ELSE 0
    END) AS buying,
    sum(CASE
      WHEN side = 'S' AND NOT is_terminal(order_status)
        THEN num(quantity) - num(coalesce(filled_qty, 0)) - num(coalesce(cancel_qty, 0))
      ELSE 0
    END) AS selling,
    sum(CASE
      WHEN side = 'B' AND mart.exchange_time(input_at) >= opens_at THEN num(coalesce(filled_qty, 0))
      ELSE 0
    END) AS bought,
    sum(CASE
      WHEN side = 'S' AND mart.exchange_time(input_at) >= opens_at THEN num(coalesce(filled_qty, 0))
      ELSE 0
    END) AS sold
  FROM account_day
  JOIN account.order_book orders
    ON orders.snapshot_id = account_day.snapshot_id AND orders.account_no = account_day.account_no
  GROUP BY account_day.account_no, orders.symbol
), position AS (
  SELECT holding.* FROM account_day JOIN account.equity_position holding USING (snapshot_id, account_no)
), comparison AS (
  SELECT account_day.account_no, account_day.snapshot_id, account_day.as_of, position_key.symbol,
    position.symbol IS NOT NULL AS has_position,
    coalesce(order_total.buying, 0) AS buying, coalesce(order_total.selling, 0) AS selling,
    coalesce(order_total.bought, 0) AS bought, coalesce(order_total.sold, 0) AS sold,
    num(CASE
      WHEN position.symbol IS NULL THEN coalesce(order_total.buying, 0)
      ELSE coalesce(position.buying_quantity, 0)
    END) AS buying_quantity,
    num(coalesce(position.selling_quantity, 0)) AS selling_quantity,
    num(coalesce(position.bought_quantity, 0)) AS bought_quantity,
    num(coalesce(position.sold_quantity, 0)) AS sold_quantity
  FROM account_day
  JOIN (SELECT account_no, symbol FROM position UNION SELECT account_no, symbol
    FROM order_total) position_key USING (account_no)
  LEFT JOIN position
    ON position.account_no = position_key.account_no AND position.symbol = position_key.symbol
  LEFT JOIN order_total
    ON order_total.account_no = position_key.account_no AND order_total.symbol = position_key.symbol
)
SELECT as_of AS trading_date, account_no AS subject, 'account.equity_position' AS relation,
  account_key_of(account_no, 'symbol', symbol) AS key,
  format('buying {:.0f}, selling {:.0f}, bought {:.0f}, sold {:.0f}', buying, selling, bought,
    sold) AS expected,
  format('buying {:.0f}, selling {:.0f}, bought {:.0f}, sold {:.0f}', buying_quantity, selling_quantity,
    bought_quantity, sold_quantity) AS actual,
  abs(buying_quantity - buying) + abs(selling_quantity - selling) + abs(bought_quantity - bought)
    + abs(sold_quantity - sold) AS residual,
  CASE
    WHEN NOT has_position AND selling = 0 AND bought = 0 AND sold = 0 THEN NULL
    WHEN residual = 0 THEN 'pass'
    ELSE 'break'
  END AS result
FROM comparison
