SELECT * FROM mart.factor_score WHERE factor = 'foreign_flow' AND trading_date = '2025-03-28'
