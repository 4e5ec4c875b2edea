-- What accounts without any position had in their latest complete snapshot: null or absent lists look like an
-- account that sold everything, which only its orders can tell apart
-- reads: account.derivative_position_summary, account.equity_position, account.snapshot, received_account
-- reads: received_derivative_position_summary, received_equity_position, received_order_book

-- grain: one row per account of the list and symbol that it had
-- empty_days: earlier trading dates, after that snapshot, on which the account had no position either.
-- Bound: the trading date of the snapshot being loaded
WITH latest AS (
  SELECT account_no, max(snapshot_id) AS snapshot_id, arg_max(as_of, snapshot_id) AS as_of
  FROM account.snapshot
  WHERE state = 'complete'
  GROUP BY account_no
), positionless AS (
  SELECT account_no FROM received_account
  EXCEPT SELECT account_no FROM received_equity_position
  EXCEPT SELECT account_no FROM received_derivative_position_summary
), holding AS (
  SELECT account_no, snapshot_id, symbol, false AS is_contract
  FROM account.equity_position WHERE quantity > 0
  UNION ALL
  SELECT account_no, snapshot_id, symbol, true
  FROM account.derivative_position_summary WHERE net <> 0
), closing_fill AS (
  SELECT DISTINCT account_no, symbol, side
  FROM received_order_book
  WHERE filled_qty > 0
), empty_day AS (
  SELECT snapshot.account_no, count(DISTINCT snapshot.as_of) AS days
  FROM account.snapshot snapshot
  JOIN latest ON latest.account_no = snapshot.account_no AND snapshot.snapshot_id > latest.snapshot_id
  WHERE snapshot.as_of < ?::DATE AND contains(snapshot.missing, 'positions: none')
  GROUP BY snapshot.account_no
)
SELECT latest.account_no, CAST(latest.as_of AS VARCHAR) AS held_on, holding.symbol, holding.is_contract,
  EXISTS (
    FROM closing_fill
    WHERE closing_fill.account_no = holding.account_no AND closing_fill.symbol = holding.symbol
      AND (holding.is_contract OR closing_fill.side = 'S')
  ) AS is_closed,
  CAST(coalesce(empty_day.days, 0) AS INTEGER) AS empty_days
FROM latest
SEMI JOIN positionless ON positionless.account_no = latest.account_no
JOIN holding ON holding.account_no = latest.account_no AND holding.snapshot_id = latest.snapshot_id
LEFT JOIN empty_day ON empty_day.account_no = latest.account_no
ORDER BY latest.account_no, holding.symbol;
