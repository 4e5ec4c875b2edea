FROM mart.filled_bars('2h', first_session := (SELECT max(trading_date) FROM market.candle))
