WITH session AS (
  SELECT account_no, 'CASH' AS account_type, DATE '2025-03-10' AS from_session, trading_date, before_of, equity,
    change, flow, 0.0::DOUBLE AS costs, time_weighted, drawdown, 0.01::DOUBLE AS vnindex_return,
    NULL::DOUBLE AS vn30_return, NULL::DOUBLE AS benchmark_return, NULL::VARCHAR AS reason
  FROM (VALUES ('A1', DATE '2025-03-10', NULL::DATE, 1000.0, 0.0, 0.0, 0.0, 0.0),
    ('A1', DATE '2025-03-12', DATE '2025-03-10', 1500.0, 500.0, 400.0, 0.1, 0.0),
    ('A1', DATE '2025-03-14', DATE '2025-03-12', 1425.0, -75.0, 0.0, 0.045, -0.05),
    ('A2', DATE '2025-03-10', NULL::DATE, 500.0, 0.0, 0.0, 0.0, 0.0))
    AS given (account_no, trading_date, before_of, equity, change, flow, time_weighted, drawdown)
)
FROM mart.account_period_of('session')
