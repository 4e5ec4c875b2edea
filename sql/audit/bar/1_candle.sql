-- grain: one row per fetched bar of a session to check
CREATE OR REPLACE TEMP VIEW audit_candle AS
FROM market.candle
WHERE trading_date BETWEEN getvariable('audit_first') AND getvariable('audit_last')
  AND trading_date IN (SELECT trading_date FROM audit_session);
