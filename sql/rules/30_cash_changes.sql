-- grain: one row per equity account
-- rule: 30
-- title: the balance changes by what settled, fees, dividends, loans and interest
-- severity: warn
-- about: equity
-- learning: yes
-- reach: back 90 days, forward 0 days, snapshot before, snapshots of 365 days
-- needs: a complete snapshot with a balance, and a complete one one or two sessions before it
-- why: the balance beside the order book and unsettled money: what stays unexplained is a payment, or a
--   fault. Which of the fields account_balance counts is not specified (32 of 32 on sandbox, to 3 VND where
--   the fee is known)
-- evidence: none measured
-- tolerance: most_missing and most_extra of mart.cash_match: interest paid that accrued in between (20 % a
--   year), dividends that arose and were paid in between, income tax of 5 % on dividends paid, 10 VND of
--   rounding. The residual has no fees in it:
--   they are at the rate that the account's latest sales within a year showed; where none did, up to 0.5 % of
--   new buys
SELECT as_of AS trading_date, account_no AS subject, 'account.equity_balance' AS relation,
  account_key(account_no) AS key,
  as_text(expected_balance) || ' (' || as_text(balance_before) || ' on ' || before_of || ', sells '
    || as_text(settled_sells) || ', buys ' || as_text(settled_buys)
    || ', fees ' || CASE WHEN fees_unknown_most > 0
      THEN 'not known, at most ' || as_text(round(fees_unknown_most)) ELSE as_text(round(fees)) END
    || ', dividends ' || as_text(dividends) || ', loan '
      || as_text(loan_change) || ', interest ' || as_text(interest_paid) || ')' AS expected,
  CASE
    WHEN residual IS NULL THEN coalesce(unknown, 'a figure of the balance is not reported in both snapshots')
    ELSE as_text(balance)
  END AS actual,
  residual,
  CASE
    WHEN residual IS NULL THEN 'not_evaluable'
    WHEN residual BETWEEN -most_missing AND most_extra THEN 'pass'
    ELSE 'break'
  END AS result
FROM mart.cash_match(getvariable('audit_as_of'))
UNION ALL
SELECT as_of, account_no, 'account.snapshot', account_key(account_no), NULL,
  'there is no complete snapshot before it', NULL, 'not_evaluable'
FROM audit_account WHERE state = 'complete' AND side = 'equity' AND before_id IS NULL
