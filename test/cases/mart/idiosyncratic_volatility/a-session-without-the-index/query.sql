SELECT * FROM mart.idiosyncratic_volatility WHERE trading_date = '2025-05-26'
