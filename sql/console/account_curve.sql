-- grain: one row per account and session with a snapshot: how its equity comes about
SELECT account_no, trading_date, net_cash, position_value, total_equity, difference
FROM mart.account_equity_curve
WHERE account_no = $account
