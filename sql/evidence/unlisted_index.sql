-- grain: one row per index and day whose whole list of indexes does not name it any more, while that is new:
-- the lists of fewer than three trading dates lack it. Then it is believed (sql/apply/indexes.sql).
-- reads: market.market_index, ops.coverage, own_window
-- writes: unlisted_index
CREATE OR REPLACE TEMP TABLE unlisted_index AS
WITH whole_list AS (
  SELECT window_from AS day FROM ops.coverage
  WHERE dataset = 'indexes' AND key = '*'
    AND (state = 'complete' OR reason_code = 'contradicted' AND row_count > 0)
)
SELECT unlisted.index_code, unlisted.last_seen, own_window.day
FROM market.market_index unlisted
JOIN own_window
  ON own_window.dataset = 'indexes' AND own_window.state = 'complete' AND own_window.day > unlisted.last_seen
JOIN whole_list ON whole_list.day > unlisted.last_seen AND whole_list.day <= own_window.day
WHERE NOT unlisted.is_listed
GROUP BY unlisted.index_code, unlisted.last_seen, own_window.day
HAVING count(*) < 3;
