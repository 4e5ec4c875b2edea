FROM mart.foreign_flow
WHERE symbol = 'BBB' OR trading_date IN ('2025-03-06', '2025-03-07', '2025-03-14', '2025-03-28', '2025-03-31')
