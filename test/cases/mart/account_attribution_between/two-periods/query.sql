SELECT 'reconciled' AS period, * FROM mart.account_attribution_between('2025-03-01', '2025-03-12')
UNION ALL
SELECT 'to the 14th', * FROM mart.account_attribution_between('2025-03-11', '2025-03-14')
