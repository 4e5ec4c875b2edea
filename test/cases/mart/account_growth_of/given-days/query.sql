WITH day AS (
  SELECT 'A1' AS account_no, 'CASH' AS account_type, trading_date, 'complete' AS state, before_of, equity, change,
    flow, 0.0::DOUBLE AS costs, time_weighted, NULL::VARCHAR AS reason
  FROM (VALUES (DATE '2025-03-12', NULL::DATE, 1000.0, NULL, NULL, NULL),
    (DATE '2025-03-13', DATE '2025-03-12', 1100.0, 100.0, 0.0, 0.1),
    (DATE '2025-03-14', DATE '2025-03-13', 1320.0, 220.0, 0.0, 0.2),
    (DATE '2025-03-17', DATE '2025-03-14', 1254.0, -66.0, 0.0, -0.05))
    AS given (trading_date, before_of, equity, change, flow, time_weighted)
)
SELECT 'whole' AS period, * FROM mart.account_growth_of('day', '2025-03-01', '2025-03-14')
UNION ALL
SELECT 'part', * FROM mart.account_growth_of('day', '2025-03-13', '2025-03-17')
