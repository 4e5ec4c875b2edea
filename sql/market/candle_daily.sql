-- grain: one row per symbol and session with matched volume, derived from its daily summary
-- Stored nowhere: it would be the same figures twice, and cost one request per symbol. The service's own 1d
-- bars are fetched in rotation and win per symbol and day. On HNX and UPCOM theirs also count what trades
-- after the close and in odd lots (docs/decisions/0046-daily-bars-come-from-the-daily-summary.md).
SELECT
  symbol, '1d' AS timeframe,
  to_timestamp(epoch_ms(CAST(trading_date AS TIMESTAMP)) // 1000 - 25200) AS opened_at,
  trading_date,
  CAST(trading_date AS TIMESTAMP) AS local_time,
  open, high, low, close,
  total_match AS volume, TRY_CAST(total_match_value AS DECIMAL(18,2)) AS value,
  true AS is_derived, NULL::VARCHAR AS request_id, loaded_at
FROM market.daily_summary summary
WHERE total_match > 0
  -- A symbol whose bars are withheld shows none, derived ones neither.
  AND NOT EXISTS (
    SELECT 1 FROM withheld
    WHERE withheld.trading_date = summary.trading_date
      AND coalesce(withheld.symbol, summary.symbol) = summary.symbol
  )
  AND NOT EXISTS (
    SELECT 1 FROM fetched
    WHERE fetched.timeframe = '1d' AND fetched.symbol = summary.symbol
      AND fetched.trading_date = summary.trading_date
  )
