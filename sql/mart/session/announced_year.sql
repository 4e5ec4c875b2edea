-- grain: one row per year whose closed days are known
-- Five closed weekdays or more that are announced, beside the fixed holidays; years before the last one that
-- the packaged calendar announces are history.
CREATE OR REPLACE VIEW mart.announced_year AS
WITH listed_day AS (
  SELECT year(day) AS year, certainty
  FROM mart.closed_day
  WHERE isodow(day) <= 5 AND strftime(day, '%m-%d') NOT IN (SELECT month_day FROM mart.fixed_holiday())
)
SELECT year
FROM listed_day
GROUP BY year
HAVING count_if(certainty <> 'inferred') >= 5
  OR year < (SELECT max(listed.year) FROM listed_day listed WHERE listed.certainty = 'published');
COMMENT ON VIEW mart.announced_year IS
  'One row per year whose closed days are known: sessions between two days of such years can be counted.';
COMMENT ON COLUMN mart.announced_year.year IS 'Calendar year.';
