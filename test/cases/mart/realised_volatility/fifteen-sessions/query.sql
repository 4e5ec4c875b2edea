FROM mart.realised_volatility WHERE trading_date >= '2025-03-20'
