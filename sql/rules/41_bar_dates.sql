-- grain: one row per fetched bar
-- rule: 41
-- title: a bar belongs to the exchange date it opened on; 1d bars open at midnight
-- severity: warn
-- about: market
-- reach: back 0 days, forward 0 days
-- per: symbol
-- needs: a bar
-- why: exchange time is UTC+7 without summer time; a client that reads it as UTC moves bars by seven hours
--   (docs/market-facts.md#dates-and-times)
-- evidence: none measured
-- tolerance: none
WITH bar AS (
  SELECT trading_date, symbol, timeframe, opened_at, epoch_us(opened_at) + 25200000000 AS local_us
  FROM audit_candle
  WHERE NOT is_derived AND isfinite(opened_at)
)
SELECT trading_date, 'market' AS subject, 'market.candle' AS relation,
  bar_key(symbol, timeframe, opened_at) AS key,
  CAST(trading_date AS VARCHAR) || CASE timeframe WHEN '1d' THEN ' 00:00:00' ELSE '' END AS expected,
  strftime(make_timestamp(local_us), '%Y-%m-%d %H:%M:%S') AS actual, NULL AS residual,
  CASE
    WHEN local_us // 86400000000 = trading_date - DATE '1970-01-01'
      AND (timeframe <> '1d' OR local_us % 86400000000 = 0)
      THEN 'pass'
    ELSE 'break'
  END AS result
FROM bar
