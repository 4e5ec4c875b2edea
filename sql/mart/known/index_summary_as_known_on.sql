-- grain: one row per index_code and trading_date, as the warehouse had it at the instant
-- instant: a TIMESTAMPTZ, or its text with a zone ('2025-03-14 18:00:00+07'). A row that has not changed
-- since is returned as it is; the few others are rebuilt (mart.as_it_stood). Texts of revisions are cast to
-- the column's own type, never through DOUBLE. request_id is null where the ledger no longer names the page.
-- written by make sql from packages/foundation/src/fields: change the table of fields, not this file
CREATE OR REPLACE MACRO mart.index_summary_as_known_on(instant) AS TABLE
WITH former_row AS (
  SELECT json_extract_string(former.key, '$.index_code') AS index_code,
    CAST(json_extract_string(former.key, '$.trading_date') AS DATE) AS trading_date,
    former.texts, former.is_whole, former.request_id, former.loaded_at
  FROM mart.as_it_stood('market.index_summary', instant) former
), current_row AS (
  SELECT stored.*
  FROM market.index_summary stored
  SEMI JOIN former_row USING (index_code, trading_date)
)
SELECT
  index_code, trading_date, total_trade, total_trade_value, total_match, total_match_value, total_deal,
  total_deal_value, index_change, index_change_percentage, index_value, total_advance_stock,
  total_ceiling_stock, total_decline_stock, total_floor_stock, total_no_change_stock, total_prop_buy,
  total_prop_buy_value, total_prop_sell, total_prop_sell_value, request_id, loaded_at
-- A session that is withheld shows its row as it was, and the revision beside it: it is reported once.
FROM market.index_summary
ANTI JOIN former_row USING (index_code, trading_date)
WHERE loaded_at <= CAST(instant AS TIMESTAMPTZ)
UNION ALL
SELECT
  former.index_code,
  former.trading_date,
  CAST(mart.text_then(former.texts, former.is_whole, 'total_trade', stored.total_trade) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_trade_value',
    stored.total_trade_value) AS DECIMAL(24,4)),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_match', stored.total_match) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_match_value',
    stored.total_match_value) AS DECIMAL(24,4)),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_deal', stored.total_deal) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_deal_value',
    stored.total_deal_value) AS DECIMAL(24,4)),
  CAST(mart.text_then(former.texts, former.is_whole, 'index_change', stored.index_change) AS DECIMAL(18,6)),
  CAST(mart.text_then(former.texts, former.is_whole, 'index_change_percentage',
    stored.index_change_percentage) AS DOUBLE),
  CAST(mart.text_then(former.texts, former.is_whole, 'index_value', stored.index_value) AS DECIMAL(18,6)),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_advance_stock',
    stored.total_advance_stock) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_ceiling_stock',
    stored.total_ceiling_stock) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_decline_stock',
    stored.total_decline_stock) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_floor_stock',
    stored.total_floor_stock) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_no_change_stock',
    stored.total_no_change_stock) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_prop_buy', stored.total_prop_buy) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_prop_buy_value',
    stored.total_prop_buy_value) AS DECIMAL(24,4)),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_prop_sell', stored.total_prop_sell) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_prop_sell_value',
    stored.total_prop_sell_value) AS DECIMAL(24,4)),
  former.request_id, former.loaded_at
FROM former_row former
LEFT JOIN current_row stored USING (index_code, trading_date);
COMMENT ON MACRO TABLE mart.index_summary_as_known_on IS
  'Index summaries as the warehouse had them at an instant.';
