-- grain: one row per weekday on which the exchanges were closed: data/reference/calendar.csv
-- The catalog also has the days of the user's own calendar.csv (sql/catalog/closed_day.sql). The warehouse
-- has
-- not: rules and kept tables follow from what is stored
-- (docs/decisions/0043-a-result-follows-from-what-is-stored.md).
CREATE OR REPLACE TABLE mart.closed_day AS
SELECT CAST(day AS DATE) AS day, closed_for, source
FROM read_csv(getvariable('reference_calendar'), header = true, all_varchar = true);
COMMENT ON TABLE mart.closed_day IS
  'One row per weekday on which the exchanges were closed, as announced: the packaged calendar and, in a '
  'catalog, that of the user (calendar.csv in the home). Years that it does not name are not known, not '
  'open.';
COMMENT ON COLUMN mart.closed_day.day IS 'Weekday without trading.';
COMMENT ON COLUMN mart.closed_day.closed_for IS 'The holiday, in English.';
