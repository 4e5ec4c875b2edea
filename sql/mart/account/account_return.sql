-- grain: one row per account and session from the account's first snapshot on, and per session one of all
--   accounts together, account_no 'ALL': leave it out of sums
-- From mart.account_equity_curve. equity is its net asset value where the closes of the session are known.
-- What of a change is a flow (money or shares brought in or taken out) no field reports; two answers of the
-- service decide. Cash: what neither prices, trades nor the most that costs and dividends can be explain is
-- a flow where every position is explained and the service's own total_equity moved by the same (10 VND and
-- 1 % of the flow); known costs and new dividends are taken out of it. Shares: what neither fills nor an
-- ex-date explain is a flow in kind, at the close (all gone: at the close of the session before), where
-- cash is explained, so that nothing was paid for them, and total_equity moved too. Anything else is not
-- reconciled: no return, and reason says why. So is a change of both, which can be trades that no order
-- reports, and one of contracts, which are worth nothing by themselves. Return: gain over what was there to
-- earn it: (change - flow) / (equity_before + flow), where only money that came in is added: what comes in
-- counts from the start of the day, what goes out until its end. Returns compound over any period; that of
-- a day after missing ones is since before_of. ALL: only sessions of which every account is known; an
-- account that appears later is a flow of its equity, one whose snapshots end with nothing left in it is
-- left out afterwards.
CREATE OR REPLACE VIEW mart.account_return AS
WITH curve AS MATERIALIZED (
  SELECT *, CASE WHEN state = 'complete' THEN before_of END AS compared_with FROM mart.account_equity_curve
), cost_total AS (
  SELECT account_no, reported_on AS trading_date, sum(cost) AS known_costs,
    CASE WHEN count(*) = count(cost) THEN known_costs END AS costs
  FROM mart.account_cost
  GROUP BY ALL
), day_change AS (
  SELECT curve.*, coalesce(curve.priced_on < curve.trading_date, false) AS is_stale,
    before.net_asset_value AS net_asset_value_before,
    coalesce(before.priced_on < before.trading_date, false) AS is_before_stale,
    CASE WHEN cost_total.account_no IS NULL THEN 0 ELSE cost_total.costs END AS costs,
    CASE WHEN curve.dividend > before.dividend THEN curve.dividend - before.dividend
      WHEN curve.dividend <= before.dividend THEN 0 END AS dividends,
    curve.unexplained_cash BETWEEN -curve.costs_most AND curve.income_most AS is_cash_explained,
    curve.unexplained_cash + coalesce(cost_total.known_costs, 0)
      - coalesce(dividends, 0) AS cash_left,
    CASE WHEN curve.account_type <> 'DERIVATIVE' THEN curve.unexplained_shares END AS share_value,
    CASE WHEN is_cash_explained THEN share_value ELSE cash_left END AS possible_flow,
    coalesce(abs(curve.difference - before.difference) <= 10 + 0.01 * abs(possible_flow), false)
      AS is_confirmed
  FROM curve
  LEFT JOIN curve before
    ON before.account_no = curve.account_no AND before.trading_date = curve.compared_with
  LEFT JOIN cost_total
    ON cost_total.account_no = curve.account_no AND cost_total.trading_date = curve.trading_date
), day_flow AS (
  SELECT account_no, account_type, trading_date, state, compared_with,
    CASE WHEN NOT is_stale THEN net_asset_value END AS equity,
    CASE WHEN NOT is_before_stale THEN net_asset_value_before END AS equity_before,
    equity - equity_before AS change, price_gain,
    CASE WHEN compared_with IS NOT NULL THEN costs END AS costs, dividends,
    CASE
      WHEN change IS NULL THEN NULL
      WHEN is_cash_explained THEN 0
      WHEN unexplained_positions = 0 AND is_confirmed THEN cash_left
    END AS cash_flow,
    CASE
      WHEN change IS NULL THEN NULL
      WHEN unexplained_positions = 0 THEN 0
      WHEN is_cash_explained AND is_confirmed THEN share_value
    END AS share_flow,
    CASE
      WHEN state = 'partial' THEN 'partial snapshot: ' || coalesce(missing, '')
      WHEN net_asset_value IS NULL
        THEN CASE WHEN net_cash IS NULL THEN 'the balance is not reported'
          ELSE 'a position has no price of 45 days' END
      WHEN is_stale THEN 'closes are not stored or withheld: positions stand at those of ' || priced_on
      WHEN before_of IS NULL THEN 'first snapshot: nothing before it to compare with'
      WHEN equity_before IS NULL THEN 'the value on ' || before_of || ' is not known'
      WHEN unexplained_cash IS NULL OR costs_most IS NULL OR income_most IS NULL
        THEN 'the price of a fill or of an ended contract is not reported'
      WHEN NOT is_cash_explained AND unexplained_positions > 0
        THEN format('unreconciled: {:.0f} VND and the quantity of symbols: {}; perhaps trades not reported',
          cash_left, unexplained_positions)
      WHEN NOT is_cash_explained AND NOT is_confirmed
        THEN format('unreconciled: {:.0f} VND; total_equity does not confirm it', cash_left)
      WHEN unexplained_positions > 0 AND (share_value IS NULL OR NOT is_confirmed)
        THEN format('unreconciled: the quantity of symbols: {}; total_equity does not confirm it',
          unexplained_positions)
    END AS reason,
    cash_left
  FROM day_change
), valued_day AS MATERIALIZED (
  SELECT * EXCLUDE (cash_left, reason, compared_with), compared_with AS before_of,
    cash_flow + share_flow AS flow,
    CASE WHEN flow IS NOT NULL THEN round(cash_left - cash_flow, 2) END AS residual,
    CASE WHEN flow IS NOT NULL AND equity_before + greatest(flow, 0) > 0
      THEN (change - flow) / (equity_before + greatest(flow, 0)) END AS time_weighted,
    coalesce(reason, CASE WHEN flow IS NOT NULL AND time_weighted IS NULL
      THEN 'nothing was there that could earn a return' END) AS reason
  FROM day_flow
), account_span AS (
  SELECT account_no, any_value(account_type) AS account_type, min(trading_date) AS first_day,
    CASE WHEN arg_max(equity, trading_date) = 0 THEN max(trading_date) ELSE DATE '9999-12-31' END AS last_day
  FROM valued_day
  GROUP BY account_no
), session AS (
  SELECT DISTINCT trading_date
  FROM market.daily_summary
  WHERE trading_date >= (SELECT min(first_day) FROM account_span)
  UNION
  SELECT trading_date FROM valued_day
), expected_day AS (
  SELECT account_span.account_no, account_span.account_type, session.trading_date
  FROM account_span
  JOIN session ON session.trading_date BETWEEN account_span.first_day AND account_span.last_day
), account_session AS MATERIALIZED (
  SELECT expected_day.account_no, expected_day.account_type, expected_day.trading_date,
    coalesce(valued_day.state, 'missing') AS state, valued_day.before_of, valued_day.equity,
    valued_day.equity_before, valued_day.change, valued_day.price_gain, valued_day.costs,
    valued_day.dividends, valued_day.cash_flow, valued_day.share_flow, valued_day.flow, valued_day.residual,
    valued_day.time_weighted,
    CASE WHEN valued_day.account_no IS NULL THEN 'no snapshot of this session'
      ELSE valued_day.reason END AS reason
  FROM expected_day
  LEFT JOIN valued_day ON valued_day.account_no = expected_day.account_no
    AND valued_day.trading_date = expected_day.trading_date
), total_session AS (
  SELECT trading_date,
    CASE WHEN bool_and(state = 'complete') THEN 'complete' WHEN bool_and(state = 'missing') THEN 'missing'
      ELSE 'partial' END AS state,
    CASE WHEN count(*) = count(equity) THEN sum(equity) END AS equity,
    string_agg(account_no || ': ' || reason, '; ' ORDER BY account_no)
      FILTER (WHERE equity IS NULL) AS reason
  FROM account_session
  GROUP BY trading_date
), total_pair AS (
  SELECT trading_date, lag(trading_date) OVER (ORDER BY trading_date) AS before_of,
    lag(equity) OVER (ORDER BY trading_date) AS equity_before
  FROM total_session
  WHERE equity IS NOT NULL
), total_change AS (
  -- an account's first day in between: its equity is a flow
  SELECT total_pair.trading_date,
    sum(part.price_gain) FILTER (WHERE part.before_of IS NOT NULL) AS price_gain,
    CASE WHEN count(part.before_of) = count(part.costs)
      THEN coalesce(sum(part.costs), 0) END AS costs,
    sum(part.dividends) AS dividends, sum(part.residual) AS known_residual,
    sum(CASE WHEN part.before_of IS NULL THEN part.equity ELSE part.cash_flow END) AS known_cash_flow,
    sum(CASE WHEN part.before_of IS NULL THEN 0 ELSE part.share_flow END) AS known_share_flow,
    string_agg(part.account_no || ': ' || part.reason, '; ' ORDER BY part.account_no, part.trading_date)
      FILTER (WHERE part.before_of IS NOT NULL AND part.flow IS NULL) AS reason
  FROM total_pair
  JOIN account_session part ON part.trading_date > total_pair.before_of
    AND part.trading_date <= total_pair.trading_date AND part.state = 'complete'
  GROUP BY total_pair.trading_date
), total_flow AS (
  SELECT total_session.trading_date, total_session.state, total_pair.before_of, total_session.equity,
    total_pair.equity_before, total_session.equity - total_pair.equity_before AS change,
    CASE WHEN total_change.reason IS NULL THEN total_change.price_gain END AS price_gain,
    total_change.costs, total_change.dividends,
    CASE WHEN total_change.reason IS NULL THEN total_change.known_cash_flow END AS cash_flow,
    CASE WHEN total_change.reason IS NULL THEN total_change.known_share_flow END AS share_flow,
    cash_flow + share_flow AS flow,
    CASE WHEN total_change.reason IS NULL THEN total_change.known_residual END AS residual,
    coalesce(total_session.reason, total_change.reason, CASE WHEN total_pair.before_of IS NULL
      THEN 'first session of which every account is known: nothing before it to compare with' END) AS reason
  FROM total_session
  LEFT JOIN total_pair ON total_pair.trading_date = total_session.trading_date
  LEFT JOIN total_change ON total_change.trading_date = total_session.trading_date
)
FROM account_session
UNION ALL BY NAME
SELECT 'ALL' AS account_no, 'ALL' AS account_type, * EXCLUDE (reason),
  CASE WHEN flow IS NOT NULL AND equity_before + greatest(flow, 0) > 0
    THEN (change - flow) / (equity_before + greatest(flow, 0)) END AS time_weighted,
  coalesce(reason, CASE WHEN time_weighted IS NULL
    THEN 'nothing was there that could earn a return' END) AS reason
FROM total_flow;
COMMENT ON VIEW mart.account_return IS
  'One row per account and session, and one of all accounts together (ALL): equity, what came in and went '
  'out, and the time-weighted return. Sessions that are missing or not reconciled have no return and a '
  'reason.';
COMMENT ON COLUMN mart.account_return.account_no IS
  'Account number; ALL: all accounts together. Leave ALL out of sums.';
COMMENT ON COLUMN mart.account_return.account_type IS 'CASH, MARGIN or DERIVATIVE; ALL for all accounts.';
COMMENT ON COLUMN mart.account_return.trading_date IS 'Session.';
COMMENT ON COLUMN mart.account_return.state IS
  'complete; partial where the session''s snapshots are; missing where there is none. ALL: complete where '
  'every account is.';
COMMENT ON COLUMN mart.account_return.before_of IS
  'Session that the row compares with: the complete one before; ALL: the one before of which every '
  'account is known. Null for the first.';
COMMENT ON COLUMN mart.account_return.equity IS
  'Net asset value at the close, VND (mart.account_equity_curve.net_asset_value); null where it is not known '
  'by the closes of the session.';
COMMENT ON COLUMN mart.account_return.equity_before IS 'equity of before_of, VND.';
COMMENT ON COLUMN mart.account_return.change IS 'equity less equity_before, VND, flows included.';
COMMENT ON COLUMN mart.account_return.price_gain IS
  'Part of change that prices and trades explain, VND (mart.account_equity_curve); share_flow is in it.';
COMMENT ON COLUMN mart.account_return.costs IS
  'Fees, tax and interest since before_of, VND, positive (mart.account_cost); null where one is not known.';
COMMENT ON COLUMN mart.account_return.dividends IS
  'Rise of dividends to come (account.equity_balance.dividend) since before_of, VND; 0 where they fell.';
COMMENT ON COLUMN mart.account_return.cash_flow IS
  'Money brought in (positive) or taken out since before_of, VND, inferred from two answers of the '
  'service. 0 where costs and dividends explain what prices and trades do not; null where it is not '
  'reconciled.';
COMMENT ON COLUMN mart.account_return.share_flow IS
  'Value of shares brought in or taken out since before_of, VND, inferred likewise; null where it is not '
  'reconciled.';
COMMENT ON COLUMN mart.account_return.flow IS
  'cash_flow + share_flow, VND; ALL: payments between own accounts cancel out. Null where one is.';
COMMENT ON COLUMN mart.account_return.residual IS
  'Part of change that is left, VND: less price_gain, dividends and cash_flow, plus costs: rounding, '
  'costs that are not known, dividends that the balance does not name. It is in the return; null where '
  'flow is.';
COMMENT ON COLUMN mart.account_return.time_weighted IS
  'Return since before_of, a fraction (0.01 = 1 %): (change - flow) / (equity_before + flow that came in). '
  'Null where reason is not.';
COMMENT ON COLUMN mart.account_return.reason IS
  'Why there is no return, or no equity; null where there is a return.';
