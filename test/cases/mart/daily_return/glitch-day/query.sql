SELECT * FROM mart.daily_return WHERE trading_date = DATE '2025-03-14'
