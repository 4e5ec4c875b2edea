-- grain: one row per derivative position (in sum and in detail), balance and PP/MMR
-- rule: 33
-- title: net = long − short; total_pl = trading_pl + floating_pl; nothing open past the last trading date
-- severity: warn
-- about: derivative
-- reach: back 0 days, forward 0 days, securities
-- needs: a complete snapshot with a derivative position, balance or PP/MMR
-- why: sums within one record; a contract ends with its last session
-- evidence: none measured
-- tolerance: net none; profits 1 VND (each of the three may be rounded). Open on the last trading date itself
--   is legal
WITH derivative_account AS (
  SELECT account_no, snapshot_id, as_of FROM audit_account WHERE state = 'complete' AND side = 'derivative'
), position AS (
  SELECT snapshot_id, account_no, symbol, NULL AS side_of_book, long, short, net,
    'account.derivative_position_summary' AS relation
  FROM account.derivative_position_summary WHERE snapshot_id IN (SELECT snapshot_id FROM derivative_account)
  UNION ALL
  SELECT snapshot_id, account_no, symbol, side_of_book, long, short, net, 'account.derivative_position'
  FROM account.derivative_position WHERE snapshot_id IN (SELECT snapshot_id FROM derivative_account)
), profit AS (
  SELECT snapshot_id, account_no, trading_pl, floating_pl, total_pl, 'account.derivative_balance' AS relation
  FROM account.derivative_balance WHERE snapshot_id IN (SELECT snapshot_id FROM derivative_account)
  UNION ALL
  SELECT snapshot_id, account_no, trading_pl, floating_pl, total_pl, 'account.derivative_margin'
  FROM account.derivative_margin WHERE snapshot_id IN (SELECT snapshot_id FROM derivative_account)
), position_check AS (
  SELECT position.*, derivative_account.as_of, instrument.last_trading_date,
    num(long) - num(short) AS expected_net,
    coalesce(net <> 0 AND instrument.last_trading_date < derivative_account.as_of, false) AS is_past
  FROM position JOIN derivative_account USING (snapshot_id, account_no)
  LEFT JOIN instrument ON instrument.symbol = position.symbol
)
SELECT as_of AS trading_date, account_no AS subject, relation,
  CASE WHEN side_of_book IS NULL THEN account_key_of(account_no, 'symbol', symbol)
    ELSE CAST(json_object('account_no', account_no, 'symbol', symbol, 'side_of_book',
      side_of_book) AS VARCHAR) END AS key,
  CASE
    WHEN is_past THEN 'nothing open after ' || last_trading_date
    ELSE 'net ' || as_text(expected_net)
  END AS expected,
  'net ' || as_text(net) AS actual,
  CASE WHEN is_past THEN num(net) ELSE num(net) - expected_net END AS residual,
  CASE WHEN is_past OR net <> expected_net THEN 'break' WHEN net = expected_net THEN 'pass' END AS result
FROM position_check
UNION ALL
SELECT as_of, account_no, relation, account_key(account_no),
  'total_pl ' || as_text(num(trading_pl) + num(floating_pl)), 'total_pl ' || as_text(total_pl),
  num(total_pl) - num(trading_pl) - num(floating_pl),
  CASE
    WHEN abs(num(total_pl) - num(trading_pl) - num(floating_pl)) <= 1 THEN 'pass'
    WHEN num(total_pl) + num(trading_pl) + num(floating_pl) IS NOT NULL THEN 'break'
  END
FROM profit JOIN derivative_account USING (snapshot_id, account_no)
