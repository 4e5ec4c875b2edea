-- What accounts without any position had in their latest complete snapshot: null or absent lists look like an
-- account that sold everything, which only its orders can tell apart
-- reads: account.derivative_position_summary, account.equity_position, account.snapshot, received_account
-- reads: received_derivative_position_summary, received_equity_position, received_order_book

-- grain: one row per account of the list and symbol that it had
-- is_closed: whether orders explain it. Their fills must make up the whole position, since an answer can lose
--   the positions of a day of trading too. Where a weekday lies between, any fill that closes does: those of
--   the days between were never read.
-- empty_days: earlier trading dates, after that snapshot, on which the account had no position either.
-- Bound: the trading date of the snapshot being loaded
WITH snapshot_day AS (
  SELECT ?::DATE AS day
), weekday_before AS (
  SELECT day, day - CASE isodow(day) WHEN 1 THEN 3 WHEN 7 THEN 2 ELSE 1 END AS last_weekday FROM snapshot_day
), latest AS (
  SELECT account_no, max(snapshot_id) AS snapshot_id, arg_max(as_of, snapshot_id) AS as_of
  FROM account.snapshot
  WHERE state = 'complete'
  GROUP BY account_no
), positionless AS (
  SELECT account_no FROM received_account
  EXCEPT SELECT account_no FROM received_equity_position
  EXCEPT SELECT account_no FROM received_derivative_position_summary
), holding AS (
  SELECT account_no, snapshot_id, symbol, false AS is_contract, quantity AS held
  FROM account.equity_position WHERE quantity > 0
  UNION ALL
  SELECT account_no, snapshot_id, symbol, true, net
  FROM account.derivative_position_summary WHERE net <> 0
), fill_total AS (
  SELECT account_no, symbol, coalesce(sum(filled_qty) FILTER (side = 'B'), 0) AS bought,
    coalesce(sum(filled_qty) FILTER (side = 'S'), 0) AS sold
  FROM received_order_book
  WHERE filled_qty > 0
  GROUP BY account_no, symbol
), empty_day AS (
  SELECT snapshot.account_no, count(DISTINCT snapshot.as_of) AS days
  FROM account.snapshot snapshot
  JOIN latest ON latest.account_no = snapshot.account_no AND snapshot.snapshot_id > latest.snapshot_id
  WHERE snapshot.as_of < (SELECT day FROM snapshot_day) AND contains(snapshot.missing, 'positions: none')
  GROUP BY snapshot.account_no
)
SELECT latest.account_no, CAST(latest.as_of AS VARCHAR) AS held_on, holding.symbol, holding.is_contract,
  coalesce(CASE
    WHEN latest.as_of <> last_weekday THEN sold > 0 OR holding.is_contract AND bought > 0
    WHEN holding.is_contract THEN holding.held + bought - sold = 0
    ELSE sold >= holding.held
  END, false) AS is_closed,
  CAST(coalesce(empty_day.days, 0) AS INTEGER) AS empty_days
FROM latest
CROSS JOIN weekday_before
SEMI JOIN positionless ON positionless.account_no = latest.account_no
JOIN holding ON holding.account_no = latest.account_no AND holding.snapshot_id = latest.snapshot_id
LEFT JOIN fill_total
  ON fill_total.account_no = holding.account_no AND fill_total.symbol = holding.symbol
LEFT JOIN empty_day ON empty_day.account_no = latest.account_no
ORDER BY latest.account_no, holding.symbol;
