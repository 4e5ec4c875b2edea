SELECT 'view' AS source, * FROM mart.idiosyncratic_volatility
WHERE trading_date = '2025-05-26' OR symbol = 'AAA' AND trading_date IN ('2025-03-03', '2025-05-02')
UNION ALL
SELECT 'macro', * FROM mart.idiosyncratic_volatility_between(DATE '2025-05-26', DATE '2025-05-26')
