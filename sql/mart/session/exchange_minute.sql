-- The minute of the day at an instant, after midnight on the exchange's clocks (UTC+7): 555 for 09:15. The
-- other way round is mart.session_instant.
CREATE OR REPLACE MACRO mart.exchange_minute(instant) AS ((epoch_ms(instant) // 60000 + 420) % 1440);
COMMENT ON MACRO mart.exchange_minute IS
  'Minutes after midnight, exchange time (UTC+7), at an instant: 555 for 09:15.';
