-- grain: one row per main index and session, the last 60 sessions: of the three boards, and VN30
-- The index of UPCOM has several names (mart.board_of_index).
WITH main AS (
  SELECT mart.plain_index_code(index_code) AS index_code, trading_date,
    CAST(index_value AS DOUBLE) AS index_value,
    list_position(['HOSE', 'VN30', 'HNX', 'UPCOM'],
      coalesce(mart.board_of_index(index_code), mart.plain_index_code(index_code))) AS position
  FROM market.index_summary
  WHERE trading_date <= $session AND trading_date > $session - INTERVAL 90 DAY AND index_value > 0
)
SELECT index_code, trading_date, index_value
FROM main
WHERE position > 0
QUALIFY row_number() OVER (PARTITION BY index_code ORDER BY trading_date DESC) <= 60
ORDER BY position, index_code, trading_date;
