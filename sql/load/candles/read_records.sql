-- grain: one row per record of the batch, typed; reason is null if it is valid. Bars that were read as
-- columns are not copied: they get what all bars of their page have from the page
-- reads: batch_page, candle_column, staged_record
-- writes: read_record
CREATE OR REPLACE TEMP VIEW read_record AS
SELECT * FROM staged_record
UNION ALL BY NAME
SELECT
  page.request_id, bar.ordinal, page.received_at,
  page.window_key AS symbol, page.window_timeframe AS timeframe,
  bar.opened_at, bar.trading_date,
  bar.open, bar.high, bar.low, bar.close, bar.volume, bar.value,
  false AS is_derived, NULL::VARCHAR AS reason, NULL::VARCHAR AS payload
FROM candle_column bar JOIN batch_page page ON page.number = bar.page;
