-- Index list → market.market_index. An index that a later list does not name stays: its summaries are
-- history. Absence means unlisted only where the list is whole, and of a later day than the last one that
-- names it. Once whole lists of three trading dates lack an index, it has left: its memberships end. Returns
-- how many indexes changed.
-- reads: market.index_member, market.market_index, ops.coverage, received_row, session_answer
-- reads: variable as_of
-- writes: gone_index, market.index_member, market.market_index, next_index, ops.dirty_partition
-- writes: written_index

-- grain: one row per index that is known after this list; the page that brought a value stays named while the
-- value stays
CREATE OR REPLACE TEMP TABLE next_index AS
WITH whole_list AS (
  -- a list that lacks an index is marked as contradicted (sql/evidence/unlisted_index.sql): it is whole
  SELECT window_from AS day FROM ops.coverage
  WHERE dataset = 'indexes' AND key = '*' AND window_from < getvariable('as_of')
    AND (state = 'complete' OR reason_code = 'contradicted' AND row_count > 0)
  UNION
  SELECT day FROM session_answer WHERE state = 'complete'
), absence AS (
  SELECT stored.index_code, min(whole_list.day) AS first_day, count(*) AS days
  FROM market.market_index stored
  JOIN whole_list ON whole_list.day > stored.last_seen
  GROUP BY stored.index_code
), compared AS (
  SELECT received, stored,
    (received.index_name, received.board) IS NOT DISTINCT FROM (stored.index_name, stored.board) AS is_same
  FROM received_row received LEFT JOIN market.market_index stored USING (index_code)
)
SELECT received.index_code, received.index_name, received.board,
  getvariable('as_of') AS last_seen, true AS is_listed, NULL::DATE AS left_on,
  CASE WHEN stored.index_code IS NOT NULL AND is_same THEN stored.request_id ELSE received.request_id END
    AS request_id,
  CASE WHEN stored.index_code IS NOT NULL AND is_same THEN stored.loaded_at ELSE received.received_at END
    AS loaded_at
FROM compared
UNION ALL BY NAME
SELECT stored.* EXCLUDE (is_listed, left_on),
  stored.is_listed AND absence.index_code IS NULL AS is_listed,
  coalesce(stored.left_on, CASE WHEN absence.days >= 3 THEN absence.first_day END) AS left_on
FROM market.market_index stored
ANTI JOIN received_row received ON received.index_code = stored.index_code
LEFT JOIN absence ON absence.index_code = stored.index_code;

-- grain: one row per index that has left with this list
CREATE OR REPLACE TEMP TABLE gone_index AS
SELECT next_index.index_code
FROM next_index JOIN market.market_index stored USING (index_code)
WHERE next_index.left_on IS NOT NULL AND stored.left_on IS NULL;

-- grain: one row per index that is new or differs
CREATE OR REPLACE TEMP TABLE written_index AS
WITH different_index AS (
  SELECT * EXCLUDE (request_id, loaded_at) FROM next_index
  EXCEPT
  SELECT * EXCLUDE (request_id, loaded_at) FROM market.market_index
)
SELECT index_code FROM different_index;

DELETE FROM market.market_index WHERE index_code IN (SELECT index_code FROM written_index);

INSERT INTO market.market_index BY NAME
SELECT * FROM next_index WHERE index_code IN (SELECT index_code FROM written_index);

INSERT INTO ops.dirty_partition
SELECT 'market.market_index', 'all' WHERE EXISTS (SELECT 1 FROM written_index);

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'market.index_member', 'all'
FROM market.index_member SEMI JOIN gone_index USING (index_code) WHERE valid_to IS NULL;

UPDATE market.index_member SET valid_to = getvariable('as_of')
WHERE valid_to IS NULL AND index_code IN (SELECT index_code FROM gone_index);

SELECT count(*) AS rows FROM written_index;
