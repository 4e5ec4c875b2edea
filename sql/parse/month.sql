-- Month of a row as partitions are named: YYYY-MM in exchange time (UTC+7 the whole year).

-- of an instant: TIMESTAMPTZ
CREATE OR REPLACE TEMP MACRO month_of_instant(t) AS strftime(t + INTERVAL 7 HOUR, '%Y-%m');

-- of a trading day: DATE
CREATE OR REPLACE TEMP MACRO month_of_day(d) AS strftime(d, '%Y-%m');

-- of an id of a run or a snapshot, which begins with its instant: 20250601T...
CREATE OR REPLACE TEMP MACRO month_of_id(id) AS left(id, 4) || '-' || substr(id, 5, 2);
