-- How many minutes a bar of a timeframe lasts: 7 for '7m', 120 for '2h'. Days are no timeframe of bars within
-- a session.
CREATE OR REPLACE MACRO mart.timeframe_minutes(timeframe) AS (
  CASE
    WHEN regexp_full_match(timeframe, '[1-9]\d{0,2}m') THEN CAST(rtrim(timeframe, 'm') AS INTEGER)
    WHEN regexp_full_match(timeframe, '[1-9]\d?h') THEN 60 * CAST(rtrim(timeframe, 'h') AS INTEGER)
    ELSE CAST(error('no timeframe of minutes or hours: ' || coalesce(timeframe, 'NULL')) AS INTEGER)
  END
);
COMMENT ON MACRO mart.timeframe_minutes IS
  'Minutes of a timeframe given as text: 7 for 7m, 120 for 2h. An error for anything else.';
