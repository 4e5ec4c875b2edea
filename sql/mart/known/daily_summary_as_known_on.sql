-- grain: one row per symbol and trading_date, as the warehouse had it at the instant
-- instant: a TIMESTAMPTZ, or its text with a zone ('2025-03-14 18:00:00+07'). A row that has not changed
-- since is returned as it is; the few others are rebuilt (mart.as_it_stood). Texts of revisions are cast to
-- the column's own type, never through DOUBLE. request_id is null where the ledger no longer names the page.
-- written by make sql from packages/foundation/src/fields: change the table of fields, not this file
CREATE OR REPLACE MACRO mart.daily_summary_as_known_on(instant) AS TABLE
WITH current_row AS (
  SELECT stored.*
  FROM market.daily_summary stored
  SEMI JOIN mart.session_as_it_stood('market.daily_summary', instant) former USING (symbol, trading_date)
)
SELECT
  symbol, trading_date, price_change, price_change_percentage, open, high, low, close, average, total_match,
  total_match_value, total_buy, total_trade_buy, total_sell, total_trade_sell, total_foreign_buy,
  total_foreign_buy_value, total_foreign_sell, total_foreign_sell_value, remain_foreign_room,
  total_foreign_room, total_deal, total_deal_value, open_interest, settlement_price, request_id, loaded_at
-- A session that is withheld shows its row as it was, and the revision beside it: it is reported once.
FROM market.daily_summary
ANTI JOIN mart.session_as_it_stood('market.daily_summary', instant) former USING (symbol, trading_date)
WHERE loaded_at <= CAST(instant AS TIMESTAMPTZ)
UNION ALL
SELECT
  former.symbol,
  former.trading_date,
  CAST(mart.text_then(former.texts, former.is_whole, 'price_change', stored.price_change) AS DECIMAL(18,6)),
  CAST(mart.text_then(former.texts, former.is_whole, 'price_change_percentage',
    stored.price_change_percentage) AS DOUBLE),
  CAST(mart.text_then(former.texts, former.is_whole, 'open', stored.open) AS DECIMAL(18,6)),
  CAST(mart.text_then(former.texts, former.is_whole, 'high', stored.high) AS DECIMAL(18,6)),
  CAST(mart.text_then(former.texts, former.is_whole, 'low', stored.low) AS DECIMAL(18,6)),
  CAST(mart.text_then(former.texts, former.is_whole, 'close', stored.close) AS DECIMAL(18,6)),
  CAST(mart.text_then(former.texts, former.is_whole, 'average', stored.average) AS DECIMAL(18,6)),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_match', stored.total_match) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_match_value',
    stored.total_match_value) AS DECIMAL(24,4)),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_buy', stored.total_buy) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_trade_buy', stored.total_trade_buy) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_sell', stored.total_sell) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_trade_sell', stored.total_trade_sell) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_foreign_buy',
    stored.total_foreign_buy) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_foreign_buy_value',
    stored.total_foreign_buy_value) AS DECIMAL(24,4)),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_foreign_sell',
    stored.total_foreign_sell) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_foreign_sell_value',
    stored.total_foreign_sell_value) AS DECIMAL(24,4)),
  CAST(mart.text_then(former.texts, former.is_whole, 'remain_foreign_room',
    stored.remain_foreign_room) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_foreign_room',
    stored.total_foreign_room) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_deal', stored.total_deal) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'total_deal_value',
    stored.total_deal_value) AS DECIMAL(24,4)),
  CAST(mart.text_then(former.texts, former.is_whole, 'open_interest', stored.open_interest) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'settlement_price',
    stored.settlement_price) AS DECIMAL(18,6)),
  former.request_id, former.loaded_at
FROM mart.session_as_it_stood('market.daily_summary', instant) former
LEFT JOIN current_row stored USING (symbol, trading_date);
COMMENT ON MACRO TABLE mart.daily_summary_as_known_on IS
  'Daily summaries as the warehouse had them at an instant.';
