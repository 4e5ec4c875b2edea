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
-- not an anti join: through this one, a condition on symbol or session reaches what was fetched too
LEFT JOIN (SELECT symbol AS fetched_symbol, timeframe, trading_date AS fetched_date FROM fetched) longer
  ON longer.timeframe = bucket.timeframe AND longer.fetched_symbol = stored.symbol
    AND longer.fetched_date = stored.trading_date
WHERE stored.timeframe = '1m' AND bucket.timeframe <> '1m' AND bucket.timeframe <> '1d'
  AND longer.fetched_symbol IS NULL
GROUP BY symbol, trading_date, bucket.timeframe, epoch_ms(opened_at) // 1000 // seconds * seconds
