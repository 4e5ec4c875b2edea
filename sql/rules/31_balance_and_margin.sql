-- grain: one row per account whose balance and PP/MMR are held
-- rule: 31
-- title: balance and PP/MMR agree on the fields they share
-- severity: warn
-- about: accounts
-- needs: a complete snapshot with both
-- why: they are two answers about one account within seconds
-- tolerance: none; soft where the snapshot was taken while its session ran (8:45 to 15:10): orders and prices move between
--   the two answers. A field that one of them does not tell is left out
WITH both_sides AS (
  SELECT judged.as_of, judged.received_at, judged.snapshot_id, judged.account_no, 'account.equity_margin' AS relation, [
    {name: 'account_balance', one: balance.account_balance, other: margin.account_balance},
    {name: 'total_debt', one: balance.total_debt, other: margin.total_debt},
    {name: 'withdrawable', one: balance.withdrawable, other: margin.withdrawable},
    {name: 'on_hold_cash', one: balance.on_hold_cash, other: margin.on_hold_cash},
    {name: 'hold_subscription', one: balance.hold_subscription, other: margin.hold_subscription},
    {name: 'dividend', one: balance.dividend, other: margin.dividend},
    {name: 'buy_unmatched', one: balance.buy_unmatched, other: margin.buy_unmatched},
    {name: 'sell_unmatched', one: balance.sell_unmatched, other: margin.sell_unmatched},
    {name: 'buy_t0', one: balance.buy_t0, other: margin.buy_t0},
    {name: 'buy_t1', one: balance.buy_t1, other: margin.buy_t1},
    {name: 'buy_t2', one: balance.buy_t2, other: margin.buy_t2},
    {name: 'sell_t0', one: balance.sell_t0, other: margin.sell_t0},
    {name: 'sell_t1', one: balance.sell_t1, other: margin.sell_t1},
    {name: 'sell_t2', one: balance.sell_t2, other: margin.sell_t2}
  ] AS fields
  FROM judged_account judged
  JOIN account.equity_balance balance ON balance.snapshot_id = judged.snapshot_id AND balance.account_no = judged.account_no
  JOIN account.equity_margin margin ON margin.snapshot_id = judged.snapshot_id AND margin.account_no = judged.account_no
  WHERE judged.state = 'complete' AND judged.side = 'equity'
  UNION ALL
  SELECT judged.as_of, judged.received_at, judged.snapshot_id, judged.account_no, 'account.derivative_margin', [
    {name: 'account_balance', one: balance.account_balance, other: margin.account_balance},
    {name: 'fee', one: balance.fee, other: margin.fee},
    {name: 'commission', one: balance.commission, other: margin.commission},
    {name: 'interest', one: balance.interest, other: margin.interest},
    {name: 'ext_interest', one: balance.ext_interest, other: margin.ext_interest},
    {name: 'loan', one: balance.loan, other: margin.loan},
    {name: 'delivery_amount', one: balance.delivery_amount, other: margin.delivery_amount},
    {name: 'floating_pl', one: balance.floating_pl, other: margin.floating_pl},
    {name: 'trading_pl', one: balance.trading_pl, other: margin.trading_pl},
    {name: 'total_pl', one: balance.total_pl, other: margin.total_pl},
    {name: 'withdrawable', one: balance.withdrawable, other: margin.withdrawable},
    {name: 'cash_broker', one: balance.cash_broker, other: margin.cash_broker},
    {name: 'cash_depository', one: balance.cash_depository, other: margin.cash_depository},
    {name: 'valid_non_cash_broker', one: balance.valid_non_cash_broker, other: margin.valid_non_cash_broker},
    {name: 'valid_non_cash_depository', one: balance.valid_non_cash_depository, other: margin.valid_non_cash_depository},
    {name: 'withdrawable_broker', one: balance.withdrawable_broker, other: margin.withdrawable_broker},
    {name: 'withdrawable_depository', one: balance.withdrawable_depository, other: margin.withdrawable_depository}
  ]
  FROM judged_account judged
  JOIN account.derivative_balance balance ON balance.snapshot_id = judged.snapshot_id AND balance.account_no = judged.account_no
  JOIN account.derivative_margin margin ON margin.snapshot_id = judged.snapshot_id AND margin.account_no = judged.account_no
  WHERE judged.state = 'complete' AND judged.side = 'derivative'
), compared AS (
  SELECT *, list_filter(fields, lambda field: field.one <> field.other) AS apart,
    len(list_filter(fields, lambda field: field.one IS NOT NULL AND field.other IS NOT NULL)) AS shared
  FROM both_sides
)
SELECT as_of AS trading_date, account_no AS subject, relation, account_key(account_no) AS key,
  array_to_string(list_transform(apart, lambda field: field.name || ' ' || told(field.one)), ', ') AS expected,
  array_to_string(list_transform(apart, lambda field: field.name || ' ' || told(field.other)), ', ') AS actual,
  list_max(list_transform(apart, lambda field: abs(num(field.other) - num(field.one)))) AS residual,
  CASE WHEN shared = 0 THEN NULL WHEN len(apart) = 0 THEN 'pass' WHEN while_trading(received_at, as_of) THEN 'soft' ELSE 'break' END AS verdict
FROM compared
