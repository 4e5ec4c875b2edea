-- grain: one row per symbol and session to check that has 1m bars: what they add up to
CREATE OR REPLACE TEMP TABLE minute_sum AS
SELECT symbol, trading_date, count(*) AS bars, min(opened_at) AS first_at, max(opened_at) AS last_at,
  arg_min(open, opened_at) AS open, max(high) AS high, min(low) AS low, arg_max(close, opened_at) AS close,
  sum(volume) AS volume, sum(value) AS value
FROM audit_candle
WHERE timeframe = '1m'
GROUP BY symbol, trading_date;
