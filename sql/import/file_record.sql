-- grain: one row per record of a user's file, with its text as a page holds it; day is null where it cannot
--   be read, or is none on which anything was traded
CREATE TABLE file_record AS
WITH record AS (
  SELECT
    coalesce($subject, '') AS subject,
    $timeframe AS timeframe,
    $day AS day,
    CAST(json_object($members) AS VARCHAR) AS record,
    coalesce($is_derived, false) AS is_derived
  FROM $file_table AS file($columns)
)
SELECT * REPLACE (CASE WHEN day BETWEEN $first_session AND $last_day THEN day END AS day)
FROM record;
