-- grain: one row per equity account, between the latest snapshot of a trading date and the complete one
--   before it
-- (mart.account_pair) Where trades settle after two sessions (mart.settlement_cycle): after one session what
-- was t1 has settled, after two what was t0 too, and what is in t2 now has not yet; after another number of
-- sessions alike. After more sessions than that, what was traded in between may have settled already, and
-- neither snapshot shows it: unknown names the reason. Balances have fields for two sessions at most.
-- sell_t0 … and buy_t0 … are net of what they carry of fees and tax. fees of new buys: 0 where they are in
-- buy_t0 (it is more than was bought); else at the rate that the account's latest sales showed, however
-- many days ago within a year (mart.fee_rate). Where no sale has shown it, fees is 0 and fees_unknown_most
-- is what they can be: 0.5 % of new buys. most_missing, most_extra: how far the balance may be below or
-- above expected_balance for what no field shows: the rounding of each fill's fee (0.005 %), interest that
-- accrued after the snapshot before and was paid (20 % a year at most; where it fell or the month turned),
-- dividends that both arose and were paid in between (by the reference prices of ex-dates), the income tax
-- on dividends that were paid (mart.dividend_tax; docs/market-facts.md#settlement-and-tax: whether
-- dividend is before tax is not specified), and 10 VND for rounding.
-- loan_change: total_debt without its interest and fees, now less before. residual: what nothing explains, in
-- VND: balance less expected_balance; what is missing is lessened by fees_unknown_most, to 0 at most.
CREATE OR REPLACE MACRO mart.cash_match(as_of_day) AS TABLE
WITH pair AS (
  FROM mart.account_pair(as_of_day)
), pair_snapshot AS (
  SELECT account_no, snapshot_id, as_of FROM pair
  UNION ALL
  SELECT account_no, before_id, before_of FROM pair
), cash AS (
  SELECT snapshot_id, account_no, TRY_CAST(account_balance AS DOUBLE) AS balance,
    TRY_CAST(total_debt AS DOUBLE) - TRY_CAST(coalesce(interest_loan, 0) AS DOUBLE)
      - TRY_CAST(coalesce(overdue_fee_loan, 0) AS DOUBLE) AS loan,
    TRY_CAST(coalesce(interest_loan, 0) AS DOUBLE) AS interest, TRY_CAST(dividend AS DOUBLE) AS dividend,
    TRY_CAST(sell_t0 AS DOUBLE) AS sell_t0, TRY_CAST(sell_t1 AS DOUBLE) AS sell_t1,
    TRY_CAST(sell_t2 AS DOUBLE) AS sell_t2,
    TRY_CAST(buy_t0 AS DOUBLE) AS buy_t0, TRY_CAST(buy_t1 AS DOUBLE) AS buy_t1,
    TRY_CAST(buy_t2 AS DOUBLE) AS buy_t2
  FROM account.equity_balance
  WHERE snapshot_id IN (SELECT snapshot_id FROM pair_snapshot)
), filled_order AS (
  SELECT snapshot_id, account_no, order_id, side,
    TRY_CAST(filled_qty AS DOUBLE) * TRY_CAST(avg_price AS DOUBLE) AS amount,
    CAST(mart.exchange_time(input_at) AS DATE) AS entered_on
  FROM account.order_book
  WHERE filled_qty > 0 AND snapshot_id IN (SELECT snapshot_id FROM pair_snapshot)
), trade_total AS (
  SELECT pair.account_no,
    coalesce(sum(filled_order.amount
      - coalesce(order_before.amount, 0)) FILTER (WHERE filled_order.side = 'B'), 0) AS bought_value,
    coalesce(sum(filled_order.amount
      - coalesce(order_before.amount, 0)) FILTER (WHERE filled_order.side = 'S'), 0) AS sold_value
  FROM pair
  JOIN filled_order
    ON filled_order.snapshot_id = pair.snapshot_id AND filled_order.account_no = pair.account_no
  LEFT JOIN filled_order order_before
    ON order_before.snapshot_id = pair.before_id AND order_before.account_no = pair.account_no
      AND order_before.order_id = filled_order.order_id
  GROUP BY pair.account_no
), dividend_loss AS (
  -- At most what was held before or bought since, at what the price lost, and a tick of the reference more.
  SELECT pair.account_no,
    sum((coalesce(TRY_CAST(position_before.quantity AS DOUBLE), 0) + coalesce(bought.quantity, 0))
      * (candidate.previous_basis - candidate.ref_price + candidate.tick)) AS most
  FROM mart.adjustment_candidate(CAST(as_of_day AS DATE) - 45, CAST(as_of_day AS DATE)) candidate
  JOIN pair ON candidate.ex_date > pair.before_of
  LEFT JOIN account.equity_position position_before
    ON position_before.snapshot_id = pair.before_id AND position_before.account_no = pair.account_no
      AND position_before.symbol = candidate.symbol
  LEFT JOIN (
    SELECT account_no, snapshot_id, symbol, sum(TRY_CAST(filled_qty AS DOUBLE)) AS quantity
    FROM account.order_book WHERE side = 'B' AND snapshot_id IN (SELECT snapshot_id FROM pair) GROUP BY ALL
  ) bought
    ON bought.snapshot_id = pair.snapshot_id AND bought.account_no = pair.account_no
      AND bought.symbol = candidate.symbol
  WHERE is_event AND basis_kind <> 'settlement'
    AND candidate.ref_price < candidate.previous_basis
  GROUP BY pair.account_no
), settled_field AS (
  -- fields of trades, from the latest session to the earliest: the snapshot before has those that have
  -- settled since in first_settled to unsettled_now; what the later one has in unsettled_now has not yet
  SELECT pair.account_no, cycle + 1 AS unsettled_now,
    cycle + 1 - CASE WHEN pair.sessions BETWEEN 1 AND cycle THEN pair.sessions ELSE 1 END AS first_settled
  FROM (SELECT *, mart.settlement_cycle(before_of) AS cycle FROM pair) pair
), money AS (
  SELECT *, [sell_t0, sell_t1, sell_t2] AS sells, [buy_t0, buy_t1, buy_t2] AS buys FROM cash
), cash_change AS (
  SELECT pair.account_no, pair.snapshot_id, pair.before_id, pair.as_of, pair.before_of, pair.sessions,
    before.balance AS balance_before,
    list_reduce(before.sells[field.first_settled : field.unsettled_now], lambda sum, part: sum + part)
      - now.sells[field.unsettled_now] AS settled_sells,
    list_reduce(before.buys[field.first_settled : field.unsettled_now], lambda sum, part: sum + part)
      - now.buys[field.unsettled_now] AS settled_buys,
    now.loan - before.loan AS loan_change,
    greatest(before.dividend - now.dividend, 0) AS dividends,
    greatest(before.dividend - now.dividend + coalesce(dividend_loss.most, 0), 0)
      - dividends AS dividends_most,
    greatest(before.interest - now.interest, 0) AS interest_paid,
    CASE
      WHEN interest_paid > 0 OR date_trunc('month', pair.as_of) > date_trunc('month', pair.before_of)
        THEN greatest(before.loan, now.loan, 0) * 0.20 * (pair.as_of - pair.before_of) / 365
      ELSE 0
    END AS interest_most,
    coalesce(trade_total.bought_value, 0) AS bought_value, coalesce(trade_total.sold_value, 0) AS sold_value,
    fee.fee_rate, fee.shown_on AS fee_shown_on,
    CASE
      WHEN coalesce(trade_total.bought_value, 0) = 0 THEN 0
      WHEN list_reduce(now.buys[1 : field.unsettled_now - field.first_settled], lambda sum, part: sum + part)
        > trade_total.bought_value * 1.0001 THEN 0
      ELSE trade_total.bought_value * fee.fee_rate
    END AS fees_known,
    now.balance,
    CASE
      WHEN pair.sessions IS NULL
        THEN 'the sessions since the snapshot of ' || pair.before_of || ' are not stored'
      WHEN field.unsettled_now IS NULL OR field.unsettled_now > 3
        THEN 'balances have no fields for the settlement cycle of ' || pair.before_of
      WHEN pair.sessions >= field.unsettled_now
        THEN pair.sessions || ' sessions follow the snapshot of ' || pair.before_of
          || ': what settled in between is in neither'
      WHEN pair.sessions = field.unsettled_now - 1 AND NOT pair.before_is_whole
        THEN 'the snapshot of ' || pair.before_of
          || ' was taken before its session was over: what was traded after it has settled'
    END AS unknown
  FROM pair
  JOIN settled_field field ON field.account_no = pair.account_no
  JOIN money now ON now.snapshot_id = pair.snapshot_id AND now.account_no = pair.account_no
  JOIN money before ON before.snapshot_id = pair.before_id AND before.account_no = pair.account_no
  LEFT JOIN trade_total ON trade_total.account_no = pair.account_no
  LEFT JOIN mart.fee_rate(as_of_day) fee ON fee.account_no = pair.account_no
  LEFT JOIN dividend_loss ON dividend_loss.account_no = pair.account_no
)
SELECT account_no, snapshot_id, before_id, as_of, before_of, sessions, balance_before, settled_sells,
  settled_buys,
  bought_value, sold_value, fee_rate, fee_shown_on, coalesce(fees_known, 0) AS fees,
  CASE WHEN fees_known IS NULL THEN 0.005 * bought_value ELSE 0 END AS fees_unknown_most,
  dividends, loan_change, interest_paid,
  CASE WHEN unknown IS NULL
    THEN round(balance_before + settled_sells - settled_buys - fees + dividends + loan_change - interest_paid,
      2)
  END AS expected_balance,
  balance,
  round(CASE
    WHEN balance < expected_balance THEN least(balance - expected_balance + fees_unknown_most, 0)
    ELSE balance - expected_balance
  END, 2) AS residual,
  10 + interest_most + mart.dividend_tax(as_of) / 100 * dividends
    + bought_value * CASE WHEN fees_known > 0 THEN 0.00005 ELSE 0 END AS most_missing,
  10 + dividends_most + bought_value * CASE WHEN fees_known > 0 THEN 0.00005 ELSE 0 END AS most_extra,
  unknown
FROM cash_change;
COMMENT ON MACRO TABLE mart.cash_match IS
  'Cash of two snapshots beside what was traded and settled between them: what nothing explains.';
