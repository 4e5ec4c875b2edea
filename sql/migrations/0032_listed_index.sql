-- An index that the list of indexes no longer names was requested every night for ever. Stored rows do not say which lists named
-- them: each counts as named by the latest list, and the next lists decide.

INSERT INTO ops.dirty_partition SELECT 'market.market_index', 'all' WHERE EXISTS (SELECT 1 FROM market.market_index);

ALTER TABLE market.market_index ADD COLUMN last_seen DATE;
ALTER TABLE market.market_index ADD COLUMN is_listed BOOLEAN;
ALTER TABLE market.market_index ADD COLUMN left_on DATE;

COMMENT ON TABLE market.market_index IS 'One row per index that a list of indexes has ever named.';
COMMENT ON COLUMN market.market_index.last_seen IS 'Latest trading date whose list names it.';
COMMENT ON COLUMN market.market_index.is_listed IS 'Whether the latest whole list names it. An index that it does not name is requested until left_on is set.';
COMMENT ON COLUMN market.market_index.left_on IS 'First trading date whose whole list does not name it, once the lists of three trading dates do not: it is no longer requested, and its summaries stay. Null while it is listed, or new to be missing.';
