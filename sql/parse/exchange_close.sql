-- Written by make sql from data/reference (docs/rulebook.md).
-- Instant (TIMESTAMPTZ) at which the last board closes on a day; null where none is recorded.
CREATE OR REPLACE TEMP MACRO exchange_close(day) AS timezone('UTC', day + CASE
    WHEN day BETWEEN DATE '2000-07-28' AND DATE '2009-06-23' THEN TIME '11:00:00'
    WHEN day BETWEEN DATE '2009-06-24' AND DATE '2012-03-04' THEN TIME '15:00:00'
    WHEN day BETWEEN DATE '2012-03-05' AND DATE '2013-07-21' THEN TIME '14:15:00'
    WHEN day >= DATE '2013-07-22' THEN TIME '15:00:00'
  END - INTERVAL 7 HOUR
);
