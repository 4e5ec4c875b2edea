FROM mart.indicators('market.candle', sma_length := 3, ema_length := 3, rsi_length := 2, band_length := 2)
