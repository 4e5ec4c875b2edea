SELECT dataset, timeframe, trading_date FROM mart.coverage WHERE is_missing
