-- grain: one row for an equity account: its cash between two complete snapshots
SELECT balance_before, settled_sells, settled_buys, fees, dividends, loan_change, expected_balance, balance,
  residual, unknown
FROM mart.cash_match(CAST($day AS DATE))
WHERE account_no = $account
