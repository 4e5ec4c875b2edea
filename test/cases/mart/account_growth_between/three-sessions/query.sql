FROM mart.account_growth_between('2025-03-11', '2025-03-14', benchmark := 'BBB')
