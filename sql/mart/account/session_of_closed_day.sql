-- grain: one row per day without trading of which a snapshot was taken: the session before it
-- Earlier versions took a snapshot as of a Sunday where --date named it: what an account holds on a Sunday is
-- what it held on Friday evening. So does one of a day that is learned to be closed: the service has no daily
-- summaries of it, and a later session has some. Until then the day counts as a session.
-- In a catalog the rows are constants (sql/catalog/session_of_closed_day.sql): every view of accounts needs
-- them, several times, and to plan this query each time took half of the time of mart.account_return.
CREATE OR REPLACE MACRO mart.session_of_closed_day() AS TABLE
WITH empty_day AS MATERIALIZED (
  -- the service has no summaries of the day, and some of a later one
  SELECT window_from AS day
  FROM ops.coverage
  WHERE dataset = 'securitiesSummary'
  QUALIFY key = '*' AND state = 'empty'
    AND window_from < max(window_from) FILTER (WHERE state <> 'imported' AND row_count > 0) OVER ()
), stated_closed_day AS MATERIALIZED (
  SELECT day, true AS is_listed FROM mart.closed_day
  UNION ALL
  SELECT day, false AS is_listed FROM empty_day
), closed_snapshot_day AS MATERIALIZED (
  SELECT DISTINCT as_of AS day
  FROM account.snapshot
  WHERE isodow(as_of) > 5 OR as_of IN (SELECT day FROM stated_closed_day)
), traded_day AS MATERIALIZED (
  -- a service may have summaries of single symbols alone
  SELECT DISTINCT trading_date AS day
  FROM market.daily_summary
  WHERE trading_date IN (FROM closed_snapshot_day UNION ALL FROM empty_day)
), known_closed_day AS (
  SELECT day FROM stated_closed_day WHERE is_listed OR day NOT IN (FROM traded_day)
), earlier_day AS (
  -- No closure of the exchanges is longer than these days.
  SELECT day, day - CAST(unnest(range(1, 31)) AS INTEGER) AS earlier
  FROM closed_snapshot_day
  WHERE day NOT IN (FROM traded_day)
)
SELECT day, max(earlier) AS session
FROM earlier_day
WHERE isodow(earlier) <= 5 AND earlier NOT IN (FROM known_closed_day)
GROUP BY day
ORDER BY day;
COMMENT ON MACRO TABLE mart.session_of_closed_day IS
  'Days without trading of which a snapshot of an account was taken, and the session before each: in a '
  'catalog constants.';
