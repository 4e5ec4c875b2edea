-- grain: one row per symbol and clock bucket of $timeframe ($seconds seconds), derived from 1m bars
UNION ALL
SELECT symbol, '$timeframe' AS timeframe,
  fromUnixTimestamp64Micro(bucket * $seconds * 1000000, 'UTC') AS opened_at,
  trading_date, open, high, low, close, volume, CAST(value AS Nullable(Decimal(18, 2))) AS value,
  true AS is_derived
FROM (
  SELECT minute.symbol AS symbol, minute.trading_date AS trading_date,
    intDiv(toUnixTimestamp64Micro(assumeNotNull(minute.opened_at)), $seconds * 1000000) AS bucket,
    argMin(minute.open, minute.opened_at) AS open, max(minute.high) AS high, min(minute.low) AS low,
    argMax(minute.close, minute.opened_at) AS close, sum(minute.volume) AS volume, sum(minute.value) AS value
  FROM market.candle AS minute
  WHERE minute.timeframe = '1m' AND (minute.symbol, minute.trading_date) NOT IN (
    SELECT symbol, trading_date FROM market.candle WHERE timeframe = '$timeframe')
  GROUP BY symbol, trading_date, bucket
) AS bucket_bar
