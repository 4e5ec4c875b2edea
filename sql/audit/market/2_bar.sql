-- grain: one row per symbol and session to check that has a 1d bar
CREATE OR REPLACE TEMP TABLE day_bar AS
SELECT symbol, trading_date, opened_at, open, high, low, close, volume, value
FROM market.candle SEMI JOIN audit_session USING (trading_date)
WHERE timeframe = '1d' AND trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last');
