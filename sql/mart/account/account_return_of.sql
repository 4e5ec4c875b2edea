-- grain: one row per account and session from the account's first snapshot on, and per session one of all
--   accounts together, account_no 'ALL': leave it out of sums
-- mart.account_return of relations that are given by name: curve_rows has rows of mart.account_equity_curve,
-- cost_rows those of mart.account_cost. Who needs them too then has them planned and computed once.
CREATE OR REPLACE MACRO mart.account_return_of(curve_rows, cost_rows) AS TABLE
WITH curve AS MATERIALIZED (
  SELECT *, CASE WHEN state = 'complete' THEN before_of END AS compared_with FROM query_table(curve_rows)
), cost_total AS (
  SELECT account_no, reported_on AS trading_date, sum(cost) AS known_costs,
    CASE WHEN count(*) = count(cost) THEN known_costs END AS costs
  FROM query_table(cost_rows)
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
COMMENT ON MACRO TABLE mart.account_return_of IS
  'mart.account_return of days and costs that are given by name: rows of mart.account_equity_curve and of '
  'mart.account_cost.';
