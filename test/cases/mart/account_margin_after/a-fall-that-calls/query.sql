FROM mart.account_margin_after(0.1) WHERE trading_date = DATE '2025-03-10'
