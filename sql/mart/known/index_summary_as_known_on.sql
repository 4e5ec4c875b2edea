-- grain: one row per index_code and trading_date, as the warehouse held it at the instant
-- instant: a TIMESTAMPTZ, or its text with a zone ('2025-03-14 18:00:00+07').
-- A row that has not changed since stands as it is; the few others are rebuilt (mart.as_it_stood). Texts of revisions are
-- cast to the column's own type, never through DOUBLE. request_id is null where the ledger no longer tells the page.
CREATE OR REPLACE MACRO mart.index_summary_as_known_on(instant) AS TABLE
WITH stood AS (
  SELECT json_extract_string(was.key, '$.index_code') AS index_code,
    CAST(json_extract_string(was.key, '$.trading_date') AS DATE) AS trading_date,
    was.changed, was.whole, was.request_id, was.loaded_at
  FROM mart.as_it_stood('market.index_summary', instant) was
), now AS (
  SELECT held.* FROM market.index_summary held SEMI JOIN stood USING (index_code, trading_date)
)
SELECT
  index_code, trading_date, total_trade, total_trade_value, total_match, total_match_value, total_deal,
  total_deal_value, index_change, index_change_percentage, index_value, total_advance_stock, total_ceiling_stock,
  total_decline_stock, total_floor_stock, total_no_change_stock, total_prop_buy, total_prop_buy_value,
  total_prop_sell, total_prop_sell_value, request_id, loaded_at
-- A session that is withheld shows its row as it was, and the revision beside it: it is told once.
FROM market.index_summary ANTI JOIN stood USING (index_code, trading_date)
WHERE loaded_at <= CAST(instant AS TIMESTAMPTZ)
UNION ALL
SELECT
  was.index_code,
  was.trading_date,
  CAST(mart.text_then(was.changed, was.whole, 'total_trade', held.total_trade) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'total_trade_value', held.total_trade_value) AS DECIMAL(24,4)),
  CAST(mart.text_then(was.changed, was.whole, 'total_match', held.total_match) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'total_match_value', held.total_match_value) AS DECIMAL(24,4)),
  CAST(mart.text_then(was.changed, was.whole, 'total_deal', held.total_deal) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'total_deal_value', held.total_deal_value) AS DECIMAL(24,4)),
  CAST(mart.text_then(was.changed, was.whole, 'index_change', held.index_change) AS DECIMAL(18,6)),
  CAST(mart.text_then(was.changed, was.whole, 'index_change_percentage', held.index_change_percentage) AS DOUBLE),
  CAST(mart.text_then(was.changed, was.whole, 'index_value', held.index_value) AS DECIMAL(18,6)),
  CAST(mart.text_then(was.changed, was.whole, 'total_advance_stock', held.total_advance_stock) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'total_ceiling_stock', held.total_ceiling_stock) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'total_decline_stock', held.total_decline_stock) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'total_floor_stock', held.total_floor_stock) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'total_no_change_stock', held.total_no_change_stock) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'total_prop_buy', held.total_prop_buy) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'total_prop_buy_value', held.total_prop_buy_value) AS DECIMAL(24,4)),
  CAST(mart.text_then(was.changed, was.whole, 'total_prop_sell', held.total_prop_sell) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'total_prop_sell_value', held.total_prop_sell_value) AS DECIMAL(24,4)),
  was.request_id,
  was.loaded_at
FROM stood was LEFT JOIN now held USING (index_code, trading_date);
COMMENT ON MACRO TABLE mart.index_summary_as_known_on IS 'Index summaries as the warehouse held them at an instant.';
