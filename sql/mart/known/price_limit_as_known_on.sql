-- grain: one row per symbol and trading_date, as the warehouse had it at the instant
-- instant: a TIMESTAMPTZ, or its text with a zone ('2025-03-14 18:00:00+07'). A row that has not changed
-- since is returned as it is; the few others are rebuilt (mart.as_it_stood). Texts of revisions are cast to
-- the column's own type, never through DOUBLE. request_id is null where the ledger no longer names the page.
-- written by make sql from packages/foundation/src/fields: change the table of fields, not this file
CREATE OR REPLACE MACRO mart.price_limit_as_known_on(instant) AS TABLE
WITH current_row AS (
  SELECT stored.*
  FROM market.price_limit stored
  SEMI JOIN mart.session_as_it_stood('market.price_limit', instant) former USING (symbol, trading_date)
)
SELECT
  symbol, exchange, trading_date, ceiling, floor, ref_price, request_id, loaded_at
-- A session that is withheld shows its row as it was, and the revision beside it: it is reported once.
FROM market.price_limit
ANTI JOIN mart.session_as_it_stood('market.price_limit', instant) former USING (symbol, trading_date)
WHERE loaded_at <= CAST(instant AS TIMESTAMPTZ)
UNION ALL
SELECT
  former.symbol,
  CAST(mart.text_then(former.texts, former.is_whole, 'exchange', stored.exchange) AS VARCHAR),
  former.trading_date,
  CAST(mart.text_then(former.texts, former.is_whole, 'ceiling', stored.ceiling) AS DECIMAL(18,6)),
  CAST(mart.text_then(former.texts, former.is_whole, 'floor', stored.floor) AS DECIMAL(18,6)),
  CAST(mart.text_then(former.texts, former.is_whole, 'ref_price', stored.ref_price) AS DECIMAL(18,6)),
  former.request_id, former.loaded_at
FROM mart.session_as_it_stood('market.price_limit', instant) former
LEFT JOIN current_row stored USING (symbol, trading_date);
COMMENT ON MACRO TABLE mart.price_limit_as_known_on IS
  'Price limits as the warehouse had them at an instant.';
