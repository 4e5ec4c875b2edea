-- grain: one row per symbol and trading_date, as the warehouse held it at the instant
-- instant: a TIMESTAMPTZ, or its text with a zone ('2025-03-14 18:00:00+07').
-- A row that has not changed since stands as it is; the few others are rebuilt (mart.as_it_stood). Texts of revisions are
-- cast to the column's own type, never through DOUBLE. request_id is null where the ledger no longer tells the page.
CREATE OR REPLACE MACRO mart.daily_summary_as_known_on(instant) AS TABLE
WITH stood AS (
  SELECT json_extract_string(was.key, '$.symbol') AS symbol,
    CAST(json_extract_string(was.key, '$.trading_date') AS DATE) AS trading_date,
    was.changed, was.whole, was.request_id, was.loaded_at
  FROM mart.as_it_stood('market.daily_summary', instant) was
), now AS (
  SELECT held.* FROM market.daily_summary held SEMI JOIN stood USING (symbol, trading_date)
)
SELECT
  symbol, trading_date, price_change, price_change_percentage, open, high, low, close, average, total_match,
  total_match_value, total_buy, total_trade_buy, total_sell, total_trade_sell, total_foreign_buy,
  total_foreign_buy_value, total_foreign_sell, total_foreign_sell_value, remain_foreign_room, total_foreign_room,
  total_deal, total_deal_value, open_interest, settlement_price, request_id, loaded_at
-- A session that is withheld shows its row as it was, and the revision beside it: it is told once.
FROM market.daily_summary ANTI JOIN stood USING (symbol, trading_date)
WHERE loaded_at <= CAST(instant AS TIMESTAMPTZ)
UNION ALL
SELECT
  was.symbol,
  was.trading_date,
  CAST(mart.text_then(was.changed, was.whole, 'price_change', held.price_change) AS DECIMAL(18,6)),
  CAST(mart.text_then(was.changed, was.whole, 'price_change_percentage', held.price_change_percentage) AS DOUBLE),
  CAST(mart.text_then(was.changed, was.whole, 'open', held.open) AS DECIMAL(18,6)),
  CAST(mart.text_then(was.changed, was.whole, 'high', held.high) AS DECIMAL(18,6)),
  CAST(mart.text_then(was.changed, was.whole, 'low', held.low) AS DECIMAL(18,6)),
  CAST(mart.text_then(was.changed, was.whole, 'close', held.close) AS DECIMAL(18,6)),
  CAST(mart.text_then(was.changed, was.whole, 'average', held.average) AS DECIMAL(18,6)),
  CAST(mart.text_then(was.changed, was.whole, 'total_match', held.total_match) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'total_match_value', held.total_match_value) AS DECIMAL(24,4)),
  CAST(mart.text_then(was.changed, was.whole, 'total_buy', held.total_buy) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'total_trade_buy', held.total_trade_buy) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'total_sell', held.total_sell) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'total_trade_sell', held.total_trade_sell) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'total_foreign_buy', held.total_foreign_buy) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'total_foreign_buy_value', held.total_foreign_buy_value) AS DECIMAL(24,4)),
  CAST(mart.text_then(was.changed, was.whole, 'total_foreign_sell', held.total_foreign_sell) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'total_foreign_sell_value', held.total_foreign_sell_value) AS DECIMAL(24,4)),
  CAST(mart.text_then(was.changed, was.whole, 'remain_foreign_room', held.remain_foreign_room) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'total_foreign_room', held.total_foreign_room) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'total_deal', held.total_deal) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'total_deal_value', held.total_deal_value) AS DECIMAL(24,4)),
  CAST(mart.text_then(was.changed, was.whole, 'open_interest', held.open_interest) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'settlement_price', held.settlement_price) AS DECIMAL(18,6)),
  was.request_id,
  was.loaded_at
FROM stood was LEFT JOIN now held USING (symbol, trading_date);
COMMENT ON MACRO TABLE mart.daily_summary_as_known_on IS 'Daily summaries as the warehouse held them at an instant.';
