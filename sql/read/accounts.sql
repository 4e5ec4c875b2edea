-- grain: one row per account with a complete snapshot
SELECT account_no, any_value(account_type) AS account_type
FROM mart.account_day
WHERE snapshot_id IS NOT NULL
GROUP BY account_no
ORDER BY account_no;
