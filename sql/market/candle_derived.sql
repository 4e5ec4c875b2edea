-- grain: one row per symbol, intraday timeframe above 1m and clock bucket, derived from 1m bars
-- Stored nowhere: derived timeframes would add 65 % of rows. One branch for all of them, because every
-- statement plans every branch. The two conditions on 1m and 1d let planning drop this branch for a query
-- that asks for one of them. Fetched rows win per symbol, timeframe and day.
SELECT
  symbol, bucket.timeframe AS timeframe,
  to_timestamp(epoch_ms(opened_at) // 1000 // seconds * seconds) AS opened_at,
  trading_date,
  make_timestamp((epoch_ms(opened_at) // 1000 // seconds * seconds + 25200) * 1000000) AS local_time,
  arg_min(open, opened_at) AS open, max(high) AS high, min(low) AS low, arg_max(close, opened_at) AS close,
  CAST(sum(volume) AS BIGINT) AS volume, CAST(sum(value) AS DECIMAL(18,2)) AS value,
  true AS is_derived, NULL::VARCHAR AS request_id, max(loaded_at) AS loaded_at
FROM stored
CROSS JOIN (VALUES $lengths) bucket(timeframe, seconds)
WHERE stored.timeframe = '1m' AND bucket.timeframe <> '1m' AND bucket.timeframe <> '1d'
  AND NOT EXISTS (
    SELECT 1 FROM fetched
    WHERE fetched.timeframe = bucket.timeframe AND fetched.symbol = stored.symbol
      AND fetched.trading_date = stored.trading_date
  )
GROUP BY symbol, trading_date, bucket.timeframe, epoch_ms(opened_at) // 1000 // seconds * seconds
