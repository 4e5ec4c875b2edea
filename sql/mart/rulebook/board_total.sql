-- Written by make sql from data/reference (docs/rulebook.md).
-- Percent by which the matched volume of a board may differ from its index; null if not measured.
CREATE OR REPLACE MACRO mart.board_total(board, day) AS (
  CASE
    WHEN board = 'HNX' AND day >= DATE '2005-07-14' THEN 0
    WHEN board = 'HOSE' AND day >= DATE '2000-07-28' THEN 0.02
    WHEN board = 'UPCOM' AND day >= DATE '2009-06-24' THEN 0
  END
);
COMMENT ON MACRO mart.board_total IS
  'Percent by which the matched volume of a board may differ from its index; null if not measured.';
