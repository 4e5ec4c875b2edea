-- grain: one row: what a user's file holds. Reads file_record
SELECT
  count(*) FILTER (NOT is_derived) AS rows,
  count(DISTINCT subject) AS subjects,
  count(DISTINCT day) AS sessions,
  CAST(min(day) AS VARCHAR) AS "from",
  CAST(max(day) AS VARCHAR) AS "to",
  count(*) FILTER (day IS NULL AND NOT is_derived) AS undated,
  count(*) FILTER (is_derived) AS derived,
  any_value(json_extract_string(record, '$.$day_field')) AS example,
  count(*) FILTER (regexp_matches(subject, '[\p{Cc}\p{Cf}]') AND NOT is_derived) AS hidden,
  any_value(subject) FILTER (regexp_matches(subject, '[\p{Cc}\p{Cf}]')) AS hidden_example
FROM file_record;
