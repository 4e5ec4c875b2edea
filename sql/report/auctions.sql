-- grain: one row per board with an auction: the auctions' part of the session's volume
SELECT board, CAST(sum(volume) AS DOUBLE) AS volume,
  CAST(sum(ato_volume) AS DOUBLE) / nullif(CAST(sum(volume) AS DOUBLE), 0) AS opening_part,
  CAST(sum(atc_volume) AS DOUBLE) / nullif(CAST(sum(volume) AS DOUBLE), 0) AS closing_part
FROM mart.auction_share
WHERE trading_date = $session AND board IS NOT NULL
GROUP BY board
HAVING count(ato_volume) + count(atc_volume) > 0
ORDER BY list_position(['HOSE', 'HNX', 'UPCOM', 'DERIVATIVE'], board);
