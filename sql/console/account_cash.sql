-- grain: one row for an equity account: its cash between two complete snapshots
-- fees: null where the rate of fees is not known.
SELECT balance_before, settled_sells, settled_buys,
  CASE WHEN fees_unknown_most = 0 THEN fees END AS fees, dividends, loan_change, expected_balance, balance,
  residual, unknown
FROM mart.cash_match(CAST($day AS DATE))
WHERE account_no = $account
