-- grain: one row per symbol, timeframe and opened_at; the bars that were fetched
-- local_time without ICU, which not every client of the catalog has loaded: Vietnam keeps UTC+7 the whole
-- year.
SELECT
  symbol, timeframe, opened_at, trading_date,
  make_timestamp(epoch_us(opened_at) + 25200000000) AS local_time,
  open, high, low, close, volume, value, is_derived, request_id, loaded_at
FROM stored
