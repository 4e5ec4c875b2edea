-- grain: one row per account of the snapshot being checked, figures as text
-- fees: null where the rate of fees is not known.
SELECT account_no AS account,
  as_text(balance_before) AS "balanceBefore", as_text(settled_sells) AS "settledSells",
  as_text(settled_buys) AS "settledBuys",
  as_text(CASE WHEN fees_unknown_most = 0 THEN round(fees, 2) END) AS fees, as_text(dividends) AS dividends,
  as_text(loan_change) AS "loanChange", as_text(expected_balance) AS expected, as_text(balance) AS balance,
  as_text(residual) AS residual, unknown
FROM mart.cash_match(getvariable('audit_as_of'))
ORDER BY account_no;
