SELECT symbol, timeframe, trading_date, last_session, sessions, open, high, low, close, volume FROM mart.bars_of('1w')
UNION ALL
SELECT symbol, timeframe, trading_date, last_session, sessions, open, high, low, close, volume FROM mart.bars_of('1d')
