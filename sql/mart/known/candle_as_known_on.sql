-- grain: one row per symbol, timeframe and opened_at of the fetched bars, as the warehouse had it at the
--   instant
-- instant: a TIMESTAMPTZ, or its text with a zone ('2025-03-14 18:00:00+07'). Derived timeframes are not
-- stored, so they have no history: derive them from the 1m bars that this gives. is_derived = false also
-- drops the branches that the catalog's view derives. local_time as in the catalog. A row that has not
-- changed since is returned as it is; the few others are rebuilt (mart.as_it_stood). Texts of revisions are
-- cast to the column's own type, never through DOUBLE. request_id is null where the ledger no longer names
-- the page.
CREATE OR REPLACE MACRO mart.candle_as_known_on(instant) AS TABLE
WITH former_row AS (
  SELECT json_extract_string(former.key, '$.symbol') AS symbol,
    json_extract_string(former.key, '$.timeframe') AS timeframe,
    CAST(json_extract_string(former.key, '$.opened_at') AS TIMESTAMPTZ) AS opened_at,
    former.texts, former.is_whole, former.request_id, former.loaded_at
  FROM mart.as_it_stood('market.candle', instant) former
), current_row AS (
  SELECT stored.*
  FROM market.candle stored SEMI JOIN former_row USING (symbol, timeframe, opened_at)
  WHERE NOT stored.is_derived
)
SELECT
  symbol, timeframe, opened_at, trading_date, make_timestamp(epoch_us(opened_at) + 25200000000) AS local_time,
  open,
  high, low, close, volume, value, is_derived, request_id, loaded_at
-- A session that is withheld shows its row as it was, and the revision beside it: it is reported once.
FROM market.candle ANTI JOIN former_row USING (symbol, timeframe, opened_at)
WHERE loaded_at <= CAST(instant AS TIMESTAMPTZ) AND NOT is_derived
UNION ALL
SELECT
  former.symbol,
  former.timeframe,
  former.opened_at,
  CAST(mart.text_then(former.texts, former.is_whole, 'trading_date', stored.trading_date) AS DATE),
  make_timestamp(epoch_us(former.opened_at) + 25200000000),
  CAST(mart.text_then(former.texts, former.is_whole, 'open', stored.open) AS DECIMAL(18,6)),
  CAST(mart.text_then(former.texts, former.is_whole, 'high', stored.high) AS DECIMAL(18,6)),
  CAST(mart.text_then(former.texts, former.is_whole, 'low', stored.low) AS DECIMAL(18,6)),
  CAST(mart.text_then(former.texts, former.is_whole, 'close', stored.close) AS DECIMAL(18,6)),
  CAST(mart.text_then(former.texts, former.is_whole, 'volume', stored.volume) AS BIGINT),
  CAST(mart.text_then(former.texts, former.is_whole, 'value', stored.value) AS DECIMAL(18,2)),
  CAST(mart.text_then(former.texts, former.is_whole, 'is_derived', stored.is_derived) AS BOOLEAN),
  former.request_id,
  former.loaded_at
FROM former_row former LEFT JOIN current_row stored USING (symbol, timeframe, opened_at);
COMMENT ON MACRO TABLE mart.candle_as_known_on IS 'Fetched bars as the warehouse had them at an instant.';
