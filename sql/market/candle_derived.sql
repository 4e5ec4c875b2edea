-- grain: one row per symbol and clock bucket of $timeframe ($seconds seconds), derived from 1m bars
-- Stored nowhere: derived timeframes would add 65 % of rows. A constant timeframe lets planning drop the
-- branches that a query does not ask for. Fetched rows win per symbol, timeframe and day.
SELECT
  symbol, '$timeframe' AS timeframe,
  to_timestamp(epoch_ms(opened_at) // 1000 // $seconds * $seconds) AS opened_at,
  trading_date,
  make_timestamp((epoch_ms(opened_at) // 1000 // $seconds * $seconds + 25200) * 1000000) AS local_time,
  arg_min(open, opened_at) AS open, max(high) AS high, min(low) AS low, arg_max(close, opened_at) AS close,
  CAST(sum(volume) AS BIGINT) AS volume, CAST(sum(value) AS DECIMAL(18,2)) AS value,
  true AS is_derived, NULL::VARCHAR AS request_id, max(loaded_at) AS loaded_at
FROM stored
WHERE timeframe = '1m'
  AND NOT EXISTS (
    SELECT 1 FROM fetched
    WHERE fetched.timeframe = '$timeframe' AND fetched.symbol = stored.symbol
      AND fetched.trading_date = stored.trading_date
  )
GROUP BY symbol, trading_date, epoch_ms(opened_at) // 1000 // $seconds
