-- grain: one row per symbol, intraday timeframe above 1m and clock bucket, derived from 1m bars
-- Stored nowhere: derived timeframes would add 65 % of rows. One branch for all of them, because every
-- statement plans every branch. The two conditions on 1m and 1d let planning drop this branch for a query
-- that asks for one of them. Fetched rows win per symbol, timeframe and day: not by an anti join, because
-- through an outer one a condition on symbol or session reaches what was fetched too.
WITH minute_bar AS (
  SELECT stored.*, bucket.timeframe AS longer_timeframe,
    epoch_ms(opened_at) // 1000 // seconds * seconds AS opened_s
  FROM stored CROSS JOIN (VALUES $lengths) bucket(timeframe, seconds)
  WHERE stored.timeframe = '1m' AND bucket.timeframe <> '1m' AND bucket.timeframe <> '1d'
), fetched_session AS (
  SELECT DISTINCT symbol AS fetched_symbol, timeframe AS fetched_timeframe, trading_date AS fetched_date
  FROM fetched
)
SELECT
  symbol, longer_timeframe AS timeframe,
  to_timestamp(opened_s) AS opened_at,
  trading_date,
  make_timestamp((opened_s + 25200) * 1000000) AS local_time,
  arg_min(open, opened_at) AS open, max(high) AS high, min(low) AS low, arg_max(close, opened_at) AS close,
  CAST(sum(volume) AS BIGINT) AS volume, CAST(sum(value) AS DECIMAL(18,2)) AS value,
  true AS is_derived, NULL::VARCHAR AS request_id, max(loaded_at) AS loaded_at
FROM minute_bar
LEFT JOIN fetched_session
  ON fetched_timeframe = longer_timeframe AND fetched_symbol = symbol AND fetched_date = trading_date
WHERE fetched_symbol IS NULL
GROUP BY symbol, trading_date, longer_timeframe, opened_s
