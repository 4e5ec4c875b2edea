SELECT *, count(*) OVER (PARTITION BY symbol, trading_date) AS minutes, count_if(is_filled) OVER (PARTITION BY symbol, trading_date) AS filled
FROM mart.candle_filled
QUALIFY strftime(exchange_time, '%H:%M') IN ('09:15', '09:16', '09:17', '09:18', '11:29', '13:00', '14:29', '14:45')
