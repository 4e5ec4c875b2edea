-- grain: one row per symbol, timeframe and opened_at of the fetched bars, as the warehouse held it at the instant
-- instant: a TIMESTAMPTZ, or its text with a zone ('2025-03-14 18:00:00+07').
-- Derived timeframes are not stored, so they have no history: derive them from the 1m bars that this gives.
-- is_derived = false also drops the branches that the catalog's view derives. local_time as in the catalog.
-- A row that has not changed since stands as it is; the few others are rebuilt (mart.as_it_stood). Texts of revisions are
-- cast to the column's own type, never through DOUBLE. request_id is null where the ledger no longer tells the page.
CREATE OR REPLACE MACRO mart.candle_as_known_on(instant) AS TABLE
WITH stood AS (
  SELECT json_extract_string(was.key, '$.symbol') AS symbol,
    json_extract_string(was.key, '$.timeframe') AS timeframe,
    CAST(json_extract_string(was.key, '$.opened_at') AS TIMESTAMPTZ) AS opened_at,
    was.changed, was.whole, was.request_id, was.loaded_at
  FROM mart.as_it_stood('market.candle', instant) was
), now AS (
  SELECT held.* FROM market.candle held SEMI JOIN stood USING (symbol, timeframe, opened_at) WHERE NOT held.is_derived
)
SELECT
  symbol, timeframe, opened_at, trading_date, make_timestamp(epoch_us(opened_at) + 25200000000) AS local_time, open,
  high, low, close, volume, value, is_derived, request_id, loaded_at
-- A session that is withheld shows its row as it was, and the revision beside it: it is told once.
FROM market.candle ANTI JOIN stood USING (symbol, timeframe, opened_at)
WHERE loaded_at <= CAST(instant AS TIMESTAMPTZ) AND NOT is_derived
UNION ALL
SELECT
  was.symbol,
  was.timeframe,
  was.opened_at,
  CAST(mart.text_then(was.changed, was.whole, 'trading_date', held.trading_date) AS DATE),
  make_timestamp(epoch_us(was.opened_at) + 25200000000),
  CAST(mart.text_then(was.changed, was.whole, 'open', held.open) AS DECIMAL(18,6)),
  CAST(mart.text_then(was.changed, was.whole, 'high', held.high) AS DECIMAL(18,6)),
  CAST(mart.text_then(was.changed, was.whole, 'low', held.low) AS DECIMAL(18,6)),
  CAST(mart.text_then(was.changed, was.whole, 'close', held.close) AS DECIMAL(18,6)),
  CAST(mart.text_then(was.changed, was.whole, 'volume', held.volume) AS BIGINT),
  CAST(mart.text_then(was.changed, was.whole, 'value', held.value) AS DECIMAL(18,2)),
  CAST(mart.text_then(was.changed, was.whole, 'is_derived', held.is_derived) AS BOOLEAN),
  was.request_id,
  was.loaded_at
FROM stood was LEFT JOIN now held USING (symbol, timeframe, opened_at);
COMMENT ON MACRO TABLE mart.candle_as_known_on IS 'Fetched bars as the warehouse held them at an instant.';
