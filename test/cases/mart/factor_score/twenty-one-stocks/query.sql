SELECT 'view' AS source, * FROM mart.factor_score
WHERE factor = 'return_1' AND trading_date = '2025-03-10' AND symbol IN ('AAA', 'AAB', 'ABA', 'ABF', 'ACA', 'E1VFVN30')
  OR factor = 'size' AND trading_date = '2025-03-10'
  OR factor = 'return_1' AND trading_date = '2025-03-11'
  OR factor = 'return_1' AND trading_date = '2025-05-12' AND symbol = 'AAA'
UNION ALL
SELECT 'macro', * FROM mart.factor_score_between(DATE '2025-03-10', DATE '2025-03-10')
WHERE factor = 'return_1' AND symbol = 'AAA'
