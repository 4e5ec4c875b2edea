SELECT 'view' AS source, * FROM mart.illiquidity
WHERE trading_date IN ('2025-03-03', '2025-03-07', '2025-03-24', '2025-03-25', '2025-05-05', '2025-05-06', '2025-05-27')
UNION ALL
SELECT 'macro', * FROM mart.illiquidity_between(DATE '2025-05-27', DATE '2025-05-27')
