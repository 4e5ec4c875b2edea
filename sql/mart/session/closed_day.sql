-- grain: one row per weekday on which the exchanges were closed: data/reference/calendar.csv
CREATE OR REPLACE TABLE mart.closed_day AS
SELECT CAST(day AS DATE) AS day, closed_for, source
FROM read_csv(getvariable('reference_calendar'), header = true, all_varchar = true);
COMMENT ON TABLE mart.closed_day IS
  'One row per weekday on which the exchanges were closed, as announced. Years that it does not name are '
  'not known, not open.';
COMMENT ON COLUMN mart.closed_day.day IS 'Weekday without trading.';
COMMENT ON COLUMN mart.closed_day.closed_for IS 'The holiday, in English.';
