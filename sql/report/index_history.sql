-- grain: one row per main index and session, the last 60 sessions
SELECT mart.plain_index_code(index_code) AS index_code, trading_date,
  CAST(index_value AS DOUBLE) AS index_value
FROM market.index_summary
WHERE mart.plain_index_code(index_code) IN ('VNINDEX', 'VN30', 'HNXINDEX', 'UPCOMINDEX')
  AND trading_date <= $session AND trading_date > $session - INTERVAL 90 DAY AND index_value > 0
QUALIFY row_number() OVER (PARTITION BY mart.plain_index_code(index_code) ORDER BY trading_date DESC) <= 60
ORDER BY list_position(['VNINDEX', 'VN30', 'HNXINDEX', 'UPCOMINDEX'], mart.plain_index_code(index_code)),
  trading_date;
