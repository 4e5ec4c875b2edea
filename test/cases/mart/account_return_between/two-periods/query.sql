SELECT 'reconciled' AS period, * FROM mart.account_return_between('2025-03-01', '2025-03-12')
UNION ALL
SELECT 'partial', * FROM mart.account_return_between('2025-03-11', '2025-03-13', benchmark := 'VN-Index')
UNION ALL
SELECT 'to the 14th', * FROM mart.account_return_between('2025-03-11', '2025-03-14', benchmark := 'AAA')
