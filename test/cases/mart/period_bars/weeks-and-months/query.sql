WITH session AS (
  SELECT symbol, '1d' AS timeframe, trading_date, open, high, low, close, total_match AS volume, total_match_value AS value
  FROM market.daily_summary
)
FROM mart.period_bars('session', '1w') UNION ALL FROM mart.period_bars('session', '1M')
