-- Index list → market.market_index. An index that a later list does not name stays: its summaries are
-- history. Returns how many rows changed.
-- reads: market.market_index, received_row
-- writes: changed_index, market.market_index, ops.dirty_partition

-- grain: one row per index that is new or differs
CREATE OR REPLACE TEMP TABLE changed_index AS
WITH different AS (
  SELECT index_code, index_name, board FROM received_row
  EXCEPT
  SELECT index_code, index_name, board FROM market.market_index
)
SELECT index_code FROM different;

DELETE FROM market.market_index WHERE index_code IN (SELECT index_code FROM changed_index);

INSERT INTO market.market_index BY NAME
SELECT index_code, index_name, board, request_id, received_at AS loaded_at
FROM received_row WHERE index_code IN (SELECT index_code FROM changed_index);

INSERT INTO ops.dirty_partition
SELECT 'market.market_index', 'all' WHERE EXISTS (SELECT 1 FROM changed_index);

SELECT count(*) AS rows FROM changed_index;
