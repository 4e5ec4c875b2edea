-- grain: one row per weekday on which the exchanges were closed, or will be: data/reference/calendar.csv, and
-- the fixed holidays of the rulebook in every year.
-- The catalog also has the days of the user's own calendar.csv (sql/catalog/closed_day.sql). The warehouse
-- has not: rules and materialized tables follow from what is stored
-- (docs/decisions/0043-a-result-follows-from-what-is-stored.md).
CREATE OR REPLACE TABLE mart.closed_day AS
WITH listed_day AS (
  SELECT CAST(day AS DATE) AS day, closed_for, source, certainty
  FROM read_csv(getvariable('reference_calendar'), header = true, all_varchar = true)
), fixed_day AS (
  -- two generations ahead: nothing that is stored or planned lies beyond
  SELECT CAST(years.year || '-' || month_day AS DATE) AS day, 'public holiday' AS closed_for, source,
    'published' AS certainty
  FROM mart.fixed_holiday() holiday, range(2000, 2051) years(year)
  WHERE isodow(day) <= 5 AND day BETWEEN valid_from AND valid_to
)
FROM listed_day
UNION ALL
FROM fixed_day ANTI JOIN listed_day USING (day)
ORDER BY day;
COMMENT ON TABLE mart.closed_day IS
  'One row per weekday without trading: the packaged calendar, fixed holidays of every year and, in a '
  'catalog, the days of the user (calendar.csv in the home). Certainty inferred: probably closed; rows that '
  'arrive for the day open it.';
COMMENT ON COLUMN mart.closed_day.day IS 'Weekday without trading.';
COMMENT ON COLUMN mart.closed_day.closed_for IS 'The holiday, in English.';
COMMENT ON COLUMN mart.closed_day.certainty IS
  'published (announced, or a fixed holiday), user (calendar.csv of the home), inferred (computed from the '
  'lunar calendar, or stated by a single source).';
