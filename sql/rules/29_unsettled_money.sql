-- grain: one row per equity account and side (buy, sell) for today's trades, and one for the roll since the
--   snapshot before
-- rule: 29
-- title: buy_t0 and sell_t0 are today's fills with their fees; T0 → T1 → T2 roll each session
-- severity: warn
-- about: equity
-- learning: yes
-- reach: back 45 days, forward 0 days, snapshot before
-- needs: a complete snapshot with a balance
-- why: unsettled money is trades that wait for settlement; whether fees are within it is not specified
-- evidence: none measured
-- tolerance: buys 0 to 0.5 % above the value of today's fills (no broker's fee is above it; none where it
--   is charged apart), sells 0 to 0.6 % below it (tax of 0.1 % besides), and the rounding of averages: 1
--   VND per order and 0.0001 VND per share. The roll is exact; t2 may be 0 where it has settled (before
--   13:00 of the second session). It is checked over one or two sessions, from a snapshot that was taken
--   after its session, where trades settle after two sessions (mart.settlement_cycle): balances have
--   fields for these
WITH equity_account AS (
  SELECT snapshot.account_no, snapshot.snapshot_id, snapshot.before_id, snapshot.as_of,
    coalesce((SELECT any_value(previous_date + mart.closing_time(previous_date)) FROM audit_session
      WHERE audit_session.trading_date = snapshot.as_of),
      CAST(snapshot.as_of AS TIMESTAMP)) AS opens_at
  FROM audit_account snapshot WHERE state = 'complete' AND side = 'equity'
), trade_total AS (
  SELECT equity_account.account_no,
    coalesce(sum(num(filled_qty) * num(avg_price)) FILTER (WHERE orders.side = 'B'), 0) AS bought,
    coalesce(sum(1 + num(filled_qty) * 0.0001) FILTER (WHERE orders.side = 'B'), 0) AS bought_rounding,
    coalesce(sum(num(filled_qty) * num(avg_price)) FILTER (WHERE orders.side = 'S'), 0) AS sold,
    coalesce(sum(1 + num(filled_qty) * 0.0001) FILTER (WHERE orders.side = 'S'), 0) AS sold_rounding
  FROM equity_account
  JOIN account.order_book orders
    ON orders.snapshot_id = equity_account.snapshot_id AND orders.account_no = equity_account.account_no
  WHERE filled_qty > 0 AND mart.exchange_time(input_at) >= opens_at
  GROUP BY equity_account.account_no
), unsettled_trade AS (
  SELECT equity_account.*, unnest([
    {side: 'buy', t0: num(buy_t0), value: coalesce(bought, 0), least: coalesce(bought - bought_rounding, 0),
      most: coalesce(bought * 1.005 + bought_rounding, 0)},
    {side: 'sell', t0: num(sell_t0), value: coalesce(sold, 0),
      least: coalesce(sold * 0.994 - sold_rounding, 0), most: coalesce(sold + sold_rounding, 0)}
  ]) AS trades
  FROM equity_account
  JOIN account.equity_balance cash
    ON cash.snapshot_id = equity_account.snapshot_id AND cash.account_no = equity_account.account_no
  LEFT JOIN trade_total ON trade_total.account_no = equity_account.account_no
), settlement_roll AS (
  SELECT pair.account_no, pair.snapshot_id, pair.as_of, pair.before_of, pair.sessions, pair.before_is_whole,
    unnest([
      {side: 'buy', before_t0: num(before.buy_t0), before_t1: num(before.buy_t1), t1: num(now.buy_t1),
        t2: num(now.buy_t2)},
      {side: 'sell', before_t0: num(before.sell_t0), before_t1: num(before.sell_t1), t1: num(now.sell_t1),
        t2: num(now.sell_t2)}
    ]) AS money
  FROM mart.account_pair(getvariable('audit_as_of')) pair
  JOIN account.equity_balance now ON now.snapshot_id = pair.snapshot_id AND now.account_no = pair.account_no
  JOIN account.equity_balance before
    ON before.snapshot_id = pair.before_id AND before.account_no = pair.account_no
)
SELECT as_of AS trading_date, account_no AS subject, 'account.equity_balance' AS relation,
  account_key_of(account_no, 'field', trades.side || '_t0') AS key,
  as_text(round(trades.least)) || ' to ' || as_text(round(trades.most)) AS expected,
  coalesce(as_text(trades.t0), trades.side || '_t0 is not reported') AS actual,
  trades.t0 - trades.value AS residual,
  CASE
    WHEN trades.t0 IS NULL THEN 'not_evaluable'
    WHEN trades.t0 BETWEEN trades.least AND trades.most THEN 'pass'
    ELSE 'break'
  END AS result
FROM unsettled_trade
UNION ALL
SELECT as_of, account_no, 'account.equity_balance',
  account_key_of(account_no, 'field', money.side || '_t1, ' || money.side || '_t2'),
  CASE sessions
    WHEN 1 THEN 't1 ' || as_text(money.before_t0) || ', t2 ' || as_text(money.before_t1) || ' or 0'
    ELSE 't2 ' || as_text(money.before_t0) || ' or 0'
  END
    || ' (' || sessions || ' after ' || before_of || ')',
  CASE sessions
    WHEN 1 THEN 't1 ' || as_text(money.t1) || ', t2 ' || as_text(money.t2)
    ELSE 't2 ' || as_text(money.t2)
  END,
  CASE sessions WHEN 1 THEN money.t1 - money.before_t0 ELSE money.t2 - money.before_t0 END,
  CASE
    WHEN sessions = 1 AND money.t1 = money.before_t0 AND money.t2 IN (0, money.before_t1) THEN 'pass'
    WHEN sessions = 2 AND money.t2 IN (0, money.before_t0) THEN 'pass'
    WHEN coalesce(money.t1, money.t2) IS NULL THEN NULL
    ELSE 'break'
  END
FROM settlement_roll
WHERE sessions IN (1, 2) AND before_is_whole AND mart.settlement_cycle(before_of) = 2
