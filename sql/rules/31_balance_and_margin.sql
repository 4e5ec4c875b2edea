-- grain: one row per account whose balance and PP/MMR are stored
-- rule: 31
-- title: balance and PP/MMR agree on the fields they share
-- severity: warn
-- about: accounts
-- reach: back 0 days, forward 0 days
-- needs: a complete snapshot with both
-- why: they are two answers about one account within seconds
-- evidence: none measured
-- tolerance: none; soft where the snapshot was taken while its session ran (8:45 to 15:10): orders and prices
--   move between the two answers. A field that one of them does not report is excluded
WITH shared_fields AS (
  SELECT snapshot.as_of, snapshot.received_at, snapshot.snapshot_id, snapshot.account_no,
    'account.equity_margin' AS relation, [
    {name: 'account_balance', in_balance: balance.account_balance, in_margin: margin.account_balance},
    {name: 'total_debt', in_balance: balance.total_debt, in_margin: margin.total_debt},
    {name: 'withdrawable', in_balance: balance.withdrawable, in_margin: margin.withdrawable},
    {name: 'on_hold_cash', in_balance: balance.on_hold_cash, in_margin: margin.on_hold_cash},
    {name: 'hold_subscription', in_balance: balance.hold_subscription, in_margin: margin.hold_subscription},
    {name: 'dividend', in_balance: balance.dividend, in_margin: margin.dividend},
    {name: 'buy_unmatched', in_balance: balance.buy_unmatched, in_margin: margin.buy_unmatched},
    {name: 'sell_unmatched', in_balance: balance.sell_unmatched, in_margin: margin.sell_unmatched},
    {name: 'buy_t0', in_balance: balance.buy_t0, in_margin: margin.buy_t0},
    {name: 'buy_t1', in_balance: balance.buy_t1, in_margin: margin.buy_t1},
    {name: 'buy_t2', in_balance: balance.buy_t2, in_margin: margin.buy_t2},
    {name: 'sell_t0', in_balance: balance.sell_t0, in_margin: margin.sell_t0},
    {name: 'sell_t1', in_balance: balance.sell_t1, in_margin: margin.sell_t1},
    {name: 'sell_t2', in_balance: balance.sell_t2, in_margin: margin.sell_t2}
  ] AS fields
  FROM audit_account snapshot
  JOIN account.equity_balance balance
    ON balance.snapshot_id = snapshot.snapshot_id AND balance.account_no = snapshot.account_no
  JOIN account.equity_margin margin
    ON margin.snapshot_id = snapshot.snapshot_id AND margin.account_no = snapshot.account_no
  WHERE snapshot.state = 'complete' AND snapshot.side = 'equity'
  UNION ALL
  SELECT snapshot.as_of, snapshot.received_at, snapshot.snapshot_id, snapshot.account_no,
    'account.derivative_margin', [
    {name: 'account_balance', in_balance: balance.account_balance, in_margin: margin.account_balance},
    {name: 'fee', in_balance: balance.fee, in_margin: margin.fee},
    {name: 'commission', in_balance: balance.commission, in_margin: margin.commission},
    {name: 'interest', in_balance: balance.interest, in_margin: margin.interest},
    {name: 'ext_interest', in_balance: balance.ext_interest, in_margin: margin.ext_interest},
    {name: 'loan', in_balance: balance.loan, in_margin: margin.loan},
    {name: 'delivery_amount', in_balance: balance.delivery_amount, in_margin: margin.delivery_amount},
    {name: 'floating_pl', in_balance: balance.floating_pl, in_margin: margin.floating_pl},
    {name: 'trading_pl', in_balance: balance.trading_pl, in_margin: margin.trading_pl},
    {name: 'total_pl', in_balance: balance.total_pl, in_margin: margin.total_pl},
    {name: 'withdrawable', in_balance: balance.withdrawable, in_margin: margin.withdrawable},
    {name: 'cash_broker', in_balance: balance.cash_broker, in_margin: margin.cash_broker},
    {name: 'cash_depository', in_balance: balance.cash_depository, in_margin: margin.cash_depository},
    {name: 'valid_non_cash_broker', in_balance: balance.valid_non_cash_broker,
      in_margin: margin.valid_non_cash_broker},
    {name: 'valid_non_cash_depository', in_balance: balance.valid_non_cash_depository,
      in_margin: margin.valid_non_cash_depository},
    {name: 'withdrawable_broker', in_balance: balance.withdrawable_broker,
      in_margin: margin.withdrawable_broker},
    {name: 'withdrawable_depository', in_balance: balance.withdrawable_depository,
      in_margin: margin.withdrawable_depository}
  ]
  FROM audit_account snapshot
  JOIN account.derivative_balance balance
    ON balance.snapshot_id = snapshot.snapshot_id AND balance.account_no = snapshot.account_no
  JOIN account.derivative_margin margin
    ON margin.snapshot_id = snapshot.snapshot_id AND margin.account_no = snapshot.account_no
  WHERE snapshot.state = 'complete' AND snapshot.side = 'derivative'
), comparison AS (
  SELECT *, list_filter(fields, lambda field: field.in_balance <> field.in_margin) AS apart,
    len(list_filter(fields, lambda field: field.in_balance IS NOT NULL
      AND field.in_margin IS NOT NULL)) AS shared
  FROM shared_fields
)
SELECT as_of AS trading_date, account_no AS subject, relation, account_key(account_no) AS key,
  array_to_string(list_transform(apart, lambda field: field.name || ' ' || as_text(field.in_balance)),
    ', ') AS expected,
  array_to_string(list_transform(apart, lambda field: field.name || ' ' || as_text(field.in_margin)),
    ', ') AS actual,
  list_max(list_transform(apart,
    lambda field: abs(num(field.in_margin) - num(field.in_balance)))) AS residual,
  CASE
    WHEN shared = 0 THEN NULL
    WHEN len(apart) = 0 THEN 'pass'
    WHEN while_trading(received_at, as_of) THEN 'soft'
    ELSE 'break'
  END AS result
FROM comparison
