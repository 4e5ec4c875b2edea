-- Declared corporate actions → market.corporate_action. A row replaces the one of its key; what a file does
-- not name stays. Former values go to market.revision. Returns how many rows changed.
-- reads: market.corporate_action, received_row
-- writes: changed_action, market.corporate_action, market.revision, ops.dirty_partition

-- grain: one row per action that is new or differs
CREATE OR REPLACE TEMP TABLE changed_action AS
SELECT received.symbol, received.ex_date, received.kind
FROM received_row received LEFT JOIN market.corporate_action stored USING (symbol, ex_date, kind)
WHERE stored.symbol IS NULL
  OR (stored.ratio, stored.amount, stored.price, stored.is_withdrawn)
    IS DISTINCT FROM (received.ratio, received.amount, received.price, received.is_withdrawn);

INSERT INTO market.revision
WITH compared AS (
  SELECT
    CAST(json_object('symbol', symbol, 'ex_date', CAST(ex_date AS VARCHAR), 'kind', kind) AS VARCHAR) AS key,
    unnest([
      {'name': 'ratio', 'old': CAST(stored.ratio AS VARCHAR), 'new': CAST(received.ratio AS VARCHAR)},
      {'name': 'amount', 'old': CAST(stored.amount AS VARCHAR), 'new': CAST(received.amount AS VARCHAR)},
      {'name': 'price', 'old': CAST(stored.price AS VARCHAR), 'new': CAST(received.price AS VARCHAR)},
      {'name': 'is_withdrawn', 'old': CAST(stored.is_withdrawn AS VARCHAR),
        'new': CAST(received.is_withdrawn AS VARCHAR)}
    ]) AS value,
    received.received_at, received.request_id, stored.loaded_at
  FROM changed_action
  JOIN received_row received USING (symbol, ex_date, kind)
  JOIN market.corporate_action stored USING (symbol, ex_date, kind)
)
SELECT 'market.corporate_action', key, value.name, value.old, value.new, received_at, request_id, loaded_at
FROM compared WHERE value.old IS DISTINCT FROM value.new;

DELETE FROM market.corporate_action AS stored USING changed_action
WHERE stored.symbol = changed_action.symbol AND stored.ex_date = changed_action.ex_date
  AND stored.kind = changed_action.kind;

INSERT INTO market.corporate_action BY NAME
SELECT symbol, ex_date, kind, ratio, amount, price, is_withdrawn, request_id, received_at AS loaded_at
FROM received_row SEMI JOIN changed_action USING (symbol, ex_date, kind);

INSERT INTO ops.dirty_partition
SELECT 'market.corporate_action', 'all' WHERE EXISTS (SELECT 1 FROM changed_action)
UNION ALL
SELECT DISTINCT 'mart.adjustment_event', CAST(ex_date AS VARCHAR) FROM changed_action
UNION ALL
SELECT DISTINCT 'market.revision', month_of_instant(received_at)
FROM received_row SEMI JOIN changed_action USING (symbol, ex_date, kind);

SELECT count(*) AS rows FROM changed_action;
