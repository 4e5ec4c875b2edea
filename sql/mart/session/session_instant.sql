-- The instant of a minute of a trading day: minutes after midnight on the exchange's clocks (UTC+7).
CREATE OR REPLACE MACRO mart.session_instant(trading_date, minute) AS (
  to_timestamp(epoch(trading_date) + minute * 60 - 25200)
);
COMMENT ON MACRO mart.session_instant IS
  'The instant (TIMESTAMPTZ) of a minute after midnight, exchange time, of a trading date.';
