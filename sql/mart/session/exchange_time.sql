-- An instant as the exchange's clocks show it: UTC+7 the whole year, whatever the zone of the connection. By
-- arithmetic, since time zones are an extension that not every client of the catalog has loaded.
CREATE OR REPLACE MACRO mart.exchange_time(instant) AS (make_timestamp(epoch_us(instant) + 25200000000));
COMMENT ON MACRO mart.exchange_time IS 'An instant as the exchange''s clocks show it (UTC+7), a TIMESTAMP.';
