-- grain: one row per index record of the pages being loaded; reason is null if it is valid
-- reads: page_record
-- writes: typed_record
-- written by make sql from packages/foundation/src/fields: change the table of fields, not this file
CREATE OR REPLACE TEMP TABLE typed_record AS
WITH typed AS (
  SELECT
    request_id, ordinal, received_at, window_key, window_from, window_to, r,
    nullif(r.index, '') AS index_code,
    nullif(r.indexName, '') AS index_name,
    nullif(r.board, '') AS board
  FROM page_record
)
SELECT
  request_id, ordinal, received_at, index_code, index_name, board,
  nullif(concat_ws('; ',
    missing('index', index_code)
  ), '') AS reason
FROM typed;
