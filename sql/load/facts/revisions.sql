-- Former values of changed and withdrawn rows → market.revision, one row per value that differs; field *
-- means the whole row. A value that fills a lost field replaces nothing
-- reads: $relation, changed_row, received_row, refilled_session, withdrawn_row
-- writes: market.revision, ops.dirty_partition
INSERT INTO market.revision
WITH compared_value AS (
  SELECT $key_json AS key, unnest([$values]) AS value, match.received_at, match.request_id, stored.loaded_at,
    EXISTS (SELECT 1 FROM refilled_session answer WHERE $in_scope) AS is_refilled
  FROM changed_row
  JOIN received_row match USING ($key)
  JOIN $relation stored ON $same_key
  WHERE stored.trading_date BETWEEN $first_day AND $last_day
)
SELECT '$relation', key, value.name, value.old, value.new, received_at, request_id, loaded_at
FROM compared_value WHERE value.differs AND NOT (is_refilled AND value.old IS NULL)
UNION ALL
SELECT '$relation', $key_json, '*', to_json(stored)::VARCHAR, NULL, match.received_at, match.request_id,
  stored.loaded_at
FROM withdrawn_row match JOIN $relation stored ON $same_key
WHERE stored.trading_date BETWEEN $first_day AND $last_day;

INSERT INTO ops.dirty_partition
WITH revised_row AS (
  SELECT received_at FROM received_row SEMI JOIN changed_row USING ($key)
  UNION ALL SELECT received_at FROM withdrawn_row
)
SELECT DISTINCT 'market.revision', month_of_instant(received_at) FROM revised_row;
