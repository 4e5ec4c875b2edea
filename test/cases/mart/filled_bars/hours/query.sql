FROM mart.filled_bars('2h')
