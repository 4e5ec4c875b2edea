-- What accounts without any position had in their latest complete snapshot: null or absent lists look like an
-- account that sold everything, which only its orders can tell apart
-- reads: account.derivative_position_summary, account.equity_position, account.snapshot
-- reads: received_derivative_position_summary, received_equity_position, received_order_book
-- reads: snapshot_account

-- grain: one row per account of the snapshot and symbol that it had
-- is_closed: whether orders explain it. The fills since must make up the whole position, since an answer can
--   lose the positions of a day of trading too; the order book goes back to that snapshot. Which fills of the
--   snapshot's own day it had already is not known: any that closes does.
-- empty_days: earlier trading dates, after that snapshot, on which the account had no position either.
-- $day: the trading date of the snapshot being loaded
WITH latest AS (
  SELECT account_no, max(snapshot_id) AS snapshot_id, arg_max(as_of, snapshot_id) AS as_of
  FROM account.snapshot
  WHERE state = 'complete'
  GROUP BY account_no
), positionless AS (
  SELECT account_no FROM snapshot_account
  EXCEPT SELECT account_no FROM received_equity_position
  EXCEPT SELECT account_no FROM received_derivative_position_summary
), holding AS (
  SELECT account_no, snapshot_id, symbol, false AS is_contract, quantity AS held
  FROM account.equity_position WHERE quantity > 0
  UNION ALL
  SELECT account_no, snapshot_id, symbol, true, net
  FROM account.derivative_position_summary WHERE net <> 0
), fill_total AS (
  SELECT book.account_no, book.symbol,
    coalesce(sum(filled_qty) FILTER (side = 'B'), 0) AS bought,
    coalesce(sum(filled_qty) FILTER (side = 'S'), 0) AS sold
  FROM received_order_book book
  JOIN latest ON latest.account_no = book.account_no
  WHERE filled_qty > 0
    -- the day in exchange time
    AND coalesce(CAST(timezone('UTC', input_at) + INTERVAL 7 HOUR AS DATE)
      > least(latest.as_of, $day::DATE - 1), true)
  GROUP BY ALL
), empty_day AS (
  SELECT snapshot.account_no, count(DISTINCT snapshot.as_of) AS days
  FROM account.snapshot snapshot
  JOIN latest ON latest.account_no = snapshot.account_no AND snapshot.snapshot_id > latest.snapshot_id
  WHERE snapshot.as_of < $day::DATE AND contains(snapshot.missing, 'positions: none')
  GROUP BY snapshot.account_no
)
SELECT latest.account_no, CAST(latest.as_of AS VARCHAR) AS held_on, holding.symbol, holding.is_contract,
  coalesce(CASE
    WHEN latest.as_of = $day::DATE THEN sold > 0 OR holding.is_contract AND bought > 0
    WHEN holding.is_contract THEN holding.held + bought - sold = 0
    ELSE sold >= holding.held
  END, false) AS is_closed,
  CAST(coalesce(empty_day.days, 0) AS INTEGER) AS empty_days
FROM latest
SEMI JOIN positionless ON positionless.account_no = latest.account_no
JOIN holding ON holding.account_no = latest.account_no AND holding.snapshot_id = latest.snapshot_id
LEFT JOIN fill_total
  ON fill_total.account_no = holding.account_no AND fill_total.symbol = holding.symbol
LEFT JOIN empty_day ON empty_day.account_no = latest.account_no
ORDER BY latest.account_no, holding.symbol;
