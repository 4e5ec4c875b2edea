-- An instant as the exchange's clocks show it: UTC+7 the whole year, whatever the zone of the connection.
CREATE OR REPLACE MACRO mart.exchange_time(instant) AS (timezone('UTC', instant) + INTERVAL 7 HOUR);
