-- The text of a column as a row was at an instant, from what mart.as_it_stood describes of the row, and what
-- the column is now. One look-up per column: DuckDB plans it for every column of every macro, and planning is
-- what a question about one symbol waits for.
CREATE OR REPLACE MACRO mart.text_then(texts, is_whole, name, now) AS (
  CASE WHEN is_whole OR map_contains(texts, name) THEN map_extract(texts, name)[1]
    ELSE CAST(now AS VARCHAR) END
);
COMMENT ON MACRO mart.text_then IS
  'Text of a column as a row was at an instant: part of the as_known_on macros.';
