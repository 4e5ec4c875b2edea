-- grain: one row per position of an equity account
-- rule: 28
-- title: 0 ≤ sellable ≤ quantity less what is selling, blocked, mortgaged, restricted; max_sell_qty ≤ sellable
-- severity: warn
-- about: equity
-- learning: yes
-- needs: a complete snapshot with a position whose quantity and sellable quantity are told
-- why: a share cannot be sold twice, nor one that somebody else holds; what the fields count is inferred from their names
-- tolerance: none; shares that still arrive may be within quantity, so sellable may be less
WITH mine AS (
  SELECT held.snapshot_id, held.account_no, held.symbol, judged.as_of,
    num(held.sellable_quantity) AS sellable,
    num(held.quantity) - num(coalesce(held.selling_quantity, 0)) - num(coalesce(held.block_quantity, 0))
      - num(coalesce(held.mortgage_quantity, 0)) - num(coalesce(held.restricted_quantity, 0)) AS most,
    num(asked.max_sell_qty) AS max_sell
  FROM judged_account judged
  JOIN account.equity_position held ON held.snapshot_id = judged.snapshot_id AND held.account_no = judged.account_no
  LEFT JOIN account.max_quantity asked ON asked.snapshot_id = held.snapshot_id AND asked.account_no = held.account_no AND asked.symbol = held.symbol
  WHERE judged.state = 'complete' AND held.sellable_quantity IS NOT NULL AND held.quantity IS NOT NULL
)
SELECT as_of AS trading_date, account_no AS subject,
  CASE WHEN sellable BETWEEN 0 AND most THEN 'account.max_quantity' ELSE 'account.equity_position' END AS relation,
  account_key_of(account_no, 'symbol', symbol) AS key,
  CASE WHEN sellable BETWEEN 0 AND most THEN format('at most {:.0f} can be sold', sellable) ELSE format('0 to {:.0f} sellable', most) END AS expected,
  CASE WHEN sellable BETWEEN 0 AND most THEN format('{:.0f}', coalesce(max_sell, 0)) ELSE format('{:.0f}', sellable) END AS actual,
  CASE WHEN sellable BETWEEN 0 AND most THEN max_sell - sellable ELSE greatest(0 - sellable, sellable - most) END AS residual,
  CASE WHEN sellable BETWEEN 0 AND most AND coalesce(max_sell, 0) <= sellable THEN 'pass' ELSE 'break' END AS verdict
FROM mine
