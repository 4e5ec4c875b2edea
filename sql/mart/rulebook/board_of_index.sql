-- Written by make sql from data/reference (docs/rulebook.md).
-- The board that an index covers whole; null for indexes that choose their members.
CREATE OR REPLACE MACRO mart.board_of_index(index_code) AS (
  CASE
    WHEN mart.plain_index_code(index_code) IN ('HNXINDEX', 'HNX') THEN 'HNX'
    WHEN mart.plain_index_code(index_code) IN ('VNINDEX') THEN 'HOSE'
    WHEN mart.plain_index_code(index_code) IN ('UPCOMINDEX', 'UPCOM', 'HNXUPCOMINDEX') THEN 'UPCOM'
  END
);
COMMENT ON MACRO mart.board_of_index IS
  'HOSE, HNX or UPCOM where an index covers that whole board (VNINDEX, HNXINDEX, UPCOMINDEX); null '
  'otherwise.';
