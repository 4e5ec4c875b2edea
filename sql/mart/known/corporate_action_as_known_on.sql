-- grain: one row per symbol, ex_date and kind, as the warehouse had it at the instant
-- instant: a TIMESTAMPTZ, or its text with a zone ('2025-03-14 18:00:00+07'). A row that has not changed
-- since is returned as it is; the few others are rebuilt (mart.as_it_stood). Texts of revisions are cast to
-- the column's own type, never through DOUBLE. request_id is null where the ledger no longer names the page.
-- written by make sql from packages/foundation/src/fields: change the table of fields, not this file
CREATE OR REPLACE MACRO mart.corporate_action_as_known_on(instant) AS TABLE
WITH former_row AS (
  SELECT json_extract_string(former.key, '$.symbol') AS symbol,
    CAST(json_extract_string(former.key, '$.ex_date') AS DATE) AS ex_date,
    json_extract_string(former.key, '$.kind') AS kind,
    former.texts, former.is_whole, former.request_id, former.loaded_at
  FROM mart.as_it_stood('market.corporate_action', instant) former
), current_row AS (
  SELECT stored.*
  FROM market.corporate_action stored
  SEMI JOIN former_row USING (symbol, ex_date, kind)
)
SELECT
  symbol, ex_date, kind, ratio, amount, price, is_withdrawn, request_id, loaded_at
-- A session that is withheld shows its row as it was, and the revision beside it: it is reported once.
FROM market.corporate_action
ANTI JOIN former_row USING (symbol, ex_date, kind)
WHERE loaded_at <= CAST(instant AS TIMESTAMPTZ)
UNION ALL
SELECT
  former.symbol,
  former.ex_date,
  former.kind,
  CAST(mart.text_then(former.texts, former.is_whole, 'ratio', stored.ratio) AS DOUBLE),
  CAST(mart.text_then(former.texts, former.is_whole, 'amount', stored.amount) AS DECIMAL(18,6)),
  CAST(mart.text_then(former.texts, former.is_whole, 'price', stored.price) AS DECIMAL(18,6)),
  CAST(mart.text_then(former.texts, former.is_whole, 'is_withdrawn', stored.is_withdrawn) AS BOOLEAN),
  former.request_id, former.loaded_at
FROM former_row former
LEFT JOIN current_row stored USING (symbol, ex_date, kind);
COMMENT ON MACRO TABLE mart.corporate_action_as_known_on IS
  'Declared corporate actions as the warehouse had them at an instant.';
