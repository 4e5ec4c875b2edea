FROM mart.bars_of('1w') UNION ALL FROM mart.bars_of('1h') UNION ALL (FROM mart.bars_of('1d') WHERE trading_date = DATE '2025-03-11')
