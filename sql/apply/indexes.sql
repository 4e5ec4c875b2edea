-- Index list → market.market_index. Reads temp table fresh (one row per index named). An index that a later
-- list does not name stays: its summaries are history.

CREATE OR REPLACE TEMP TABLE touched AS
SELECT index_code FROM (SELECT index_code, index_name, board FROM fresh
  EXCEPT SELECT index_code, index_name, board FROM market.market_index);
DELETE FROM market.market_index WHERE index_code IN (SELECT index_code FROM touched);
INSERT INTO market.market_index BY NAME
SELECT index_code, index_name, board, request_id, received_at AS loaded_at
FROM fresh WHERE index_code IN (SELECT index_code FROM touched);

CREATE OR REPLACE TEMP TABLE changed_count AS SELECT count(*) AS rows FROM touched;
INSERT INTO ops.dirty_partition SELECT 'market.market_index', 'all' WHERE (SELECT rows FROM changed_count) > 0;
