-- grain: one row per trading date of which an account has a snapshot
-- The two sessions after it, by weekdays and mart.closed_day: trades of the date settle on the second one,
-- before 13:00 (docs/market-facts.md#settlement-and-tax).
CREATE OR REPLACE VIEW mart.settlement_session AS
WITH snapshot_day AS (
  SELECT DISTINCT trading_date FROM mart.account_day WHERE snapshot_id IS NOT NULL
), later_day AS (
  SELECT trading_date, trading_date + CAST(unnest(range(1, 22)) AS INTEGER) AS day
  FROM snapshot_day
), later_session AS (
  SELECT later_day.trading_date,
    CASE WHEN announced_year.year IS NOT NULL THEN later_day.day END AS session,
    row_number() OVER (PARTITION BY later_day.trading_date ORDER BY later_day.day) AS number
  FROM later_day
  ANTI JOIN mart.closed_day closed ON closed.day = later_day.day
  LEFT JOIN mart.announced_year announced_year ON announced_year.year = year(later_day.day)
  WHERE isodow(later_day.day) <= 5
)
SELECT trading_date, max(session) FILTER (WHERE number = 1) AS t1_date,
  max(session) FILTER (WHERE number = 2) AS t2_date
FROM later_session
GROUP BY trading_date;
COMMENT ON VIEW mart.settlement_session IS
  'One row per trading date of which an account has a snapshot: the two sessions after it, on which trades '
  'settle.';
