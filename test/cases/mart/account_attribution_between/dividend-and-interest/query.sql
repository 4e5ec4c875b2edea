FROM mart.account_attribution_between('2025-03-10', '2025-03-11')
