WITH summary AS (
  FROM market.daily_summary WHERE trading_date = '2025-03-10'
)
FROM mart.close_direction('summary')
