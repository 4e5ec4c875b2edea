FROM mart.liquidity WHERE symbol = 'BBB' OR trading_date IN ('2025-03-13', '2025-03-14', '2025-04-01')
