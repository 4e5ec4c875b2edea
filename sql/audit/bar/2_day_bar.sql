-- grain: one row per symbol and session to check that has a 1d bar
CREATE OR REPLACE TEMP TABLE day_bar AS
SELECT symbol, trading_date, opened_at, open, high, low, close, volume, value
FROM audit_candle
WHERE timeframe = '1d';
