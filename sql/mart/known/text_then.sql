-- The text of a column as a row was at an instant, from what mart.as_it_stood describes of the row: changed
-- (what the columns that changed later was then), whole (the row when it was withdrawn, if it was), and what
-- the column is now.
CREATE OR REPLACE MACRO mart.text_then(changed, whole, name, now) AS (
  CASE
    WHEN list_contains(map_keys(changed), name) THEN map_extract(changed, name)[1]
    WHEN whole IS NOT NULL THEN mart.member_text(whole, name)
    ELSE CAST(now AS VARCHAR)
  END
);
COMMENT ON MACRO mart.text_then IS
  'Text of a column as a row was at an instant: part of the as_known_on macros.';
