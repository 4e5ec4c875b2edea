-- grain: one row per symbol of the account: its position between two complete snapshots
SELECT symbol, quantity_before, bought, sold, from_dividends, expected_quantity, quantity, residual
FROM mart.position_match(CAST($day AS DATE))
WHERE account_no = $account
ORDER BY symbol
