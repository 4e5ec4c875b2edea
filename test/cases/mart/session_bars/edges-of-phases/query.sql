FROM mart.session_bars('30m')
