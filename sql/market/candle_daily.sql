-- grain: one row per symbol and session with matched volume, derived from its daily summary
-- Stored nowhere: it would be the same figures twice, and cost one request per symbol. The service's own 1d
-- bars are fetched in rotation and win per symbol and day. On HNX and UPCOM theirs also count what trades
-- after the close and in odd lots (docs/decisions/0046-daily-bars-come-from-the-daily-summary.md).
WITH summary AS (
  SELECT symbol, trading_date, open, high, low, close, total_match, total_match_value, loaded_at
  FROM market.daily_summary
  WHERE total_match > 0
), fetched_session AS (
  SELECT DISTINCT symbol AS fetched_symbol, trading_date AS fetched_date FROM fetched WHERE timeframe = '1d'
), withheld_bar AS (
  SELECT DISTINCT symbol AS withheld_symbol, trading_date AS withheld_date FROM withheld
), withheld_session AS (
  SELECT withheld_date AS withheld_day FROM withheld_bar WHERE withheld_symbol IS NULL
)
SELECT
  symbol, '1d' AS timeframe,
  to_timestamp(epoch_ms(CAST(trading_date AS TIMESTAMP)) // 1000 - 25200) AS opened_at,
  trading_date,
  CAST(trading_date AS TIMESTAMP) AS local_time,
  open, high, low, close,
  total_match AS volume,
  -- Beyond 18 digits a decimal is divided digit by digit: 2.5 CPU-s for a million rows. Few need that.
  coalesce(
    TRY_CAST(TRY_CAST(total_match_value AS DECIMAL(18,4)) AS DECIMAL(18,2)),
    TRY_CAST(total_match_value AS DECIMAL(18,2))
  ) AS value,
  true AS is_derived, NULL::VARCHAR AS request_id, loaded_at
FROM summary
LEFT JOIN fetched_session ON fetched_symbol = symbol AND fetched_date = trading_date
-- A symbol whose bars are withheld shows none, derived ones neither.
LEFT JOIN withheld_bar ON withheld_symbol = symbol AND withheld_date = trading_date
LEFT JOIN withheld_session ON withheld_day = trading_date
WHERE fetched_symbol IS NULL AND withheld_symbol IS NULL AND withheld_day IS NULL
