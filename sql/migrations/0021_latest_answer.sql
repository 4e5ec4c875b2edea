-- What was asked again and is equal, page by page, to what was loaded last needs no loading.
-- grain: one row per dataset, and per API key for snapshots
CREATE TABLE IF NOT EXISTS ops.latest_answer (
  dataset   VARCHAR,
  key_name  VARCHAR,
  answers   VARCHAR
);

COMMENT ON TABLE ops.latest_answer IS 'One row per dataset, and per API key for snapshots: the pages that were loaded last, if all of their records were stored. A cache: without a row they are loaded again.';
COMMENT ON COLUMN ops.latest_answer.dataset IS 'Dataset of market data, or snapshot.';
COMMENT ON COLUMN ops.latest_answer.key_name IS 'Name of the API key of a snapshot; empty for market data, which is the same for every key.';
COMMENT ON COLUMN ops.latest_answer.answers IS 'SHA-256 of the windows, their pages, the trading date, the sessions of the calendar, and the version of candlehouse.';
