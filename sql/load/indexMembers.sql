-- grain: one row per security record of an index's answer; reason is null if it is valid
-- reads: page_record
-- writes: typed_record
CREATE OR REPLACE TEMP TABLE typed_record AS
WITH typed AS (
  SELECT
    request_id, ordinal, received_at,
    window_key AS index_code,
    nullif(r.symbol, '') AS symbol
  FROM page_record
)
SELECT
  request_id, ordinal, received_at,
  index_code, symbol,
  missing('symbol', symbol) AS reason
FROM typed;
