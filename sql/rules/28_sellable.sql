-- grain: one row per position of an equity account
-- rule: 28
-- title: 0 ≤ sellable ≤ quantity less what is selling, blocked, mortgaged, restricted; max_sell_qty ≤
--   sellable
-- severity: warn
-- about: equity
-- learning: yes
-- reach: back 0 days, forward 0 days
-- needs: a complete snapshot with a position whose quantity and sellable quantity are reported
-- why: a share cannot be sold twice, nor one that somebody else holds; what the fields count is inferred from
--   their names
-- evidence: none measured
-- tolerance: none; shares that still arrive may be within quantity, so sellable may be less
WITH sellable_position AS (
  SELECT position.snapshot_id, position.account_no, position.symbol, snapshot.as_of,
    num(position.sellable_quantity) AS sellable,
    num(position.quantity) - num(coalesce(position.selling_quantity, 0))
      - num(coalesce(position.block_quantity, 0))
      - num(coalesce(position.mortgage_quantity, 0)) - num(coalesce(position.restricted_quantity, 0)) AS most,
    num(maximum.max_sell_qty) AS max_sell
  FROM audit_account snapshot
  JOIN account.equity_position position
    ON position.snapshot_id = snapshot.snapshot_id AND position.account_no = snapshot.account_no
  LEFT JOIN account.max_quantity maximum
    ON maximum.snapshot_id = position.snapshot_id AND maximum.account_no = position.account_no
      AND maximum.symbol = position.symbol
  WHERE snapshot.state = 'complete' AND position.sellable_quantity IS NOT NULL
    AND position.quantity IS NOT NULL
)
SELECT as_of AS trading_date, account_no AS subject,
  CASE
    WHEN sellable BETWEEN 0 AND most THEN 'account.max_quantity'
    ELSE 'account.equity_position'
  END AS relation,
  account_key_of(account_no, 'symbol', symbol) AS key,
  CASE
    WHEN sellable BETWEEN 0 AND most THEN format('at most {:.0f} can be sold', sellable)
    ELSE format('0 to {:.0f} sellable', most)
  END AS expected,
  CASE
    WHEN sellable BETWEEN 0 AND most THEN format('{:.0f}', coalesce(max_sell, 0))
    ELSE format('{:.0f}', sellable)
  END AS actual,
  CASE
    WHEN sellable BETWEEN 0 AND most THEN max_sell - sellable
    ELSE greatest(0 - sellable, sellable - most)
  END AS residual,
  CASE
    WHEN sellable BETWEEN 0 AND most AND coalesce(max_sell, 0) <= sellable THEN 'pass'
    ELSE 'break'
  END AS result
FROM sellable_position
