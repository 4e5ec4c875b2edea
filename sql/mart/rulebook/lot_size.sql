-- Written by make sql from data/reference (docs/rulebook.md).
-- Shares or contracts of one round lot of a board on a day; null where none is recorded.
CREATE OR REPLACE MACRO mart.lot_size(board, day) AS (
  CASE
    WHEN board = 'DERIVATIVE' AND day >= DATE '2017-08-10' THEN 1
    WHEN board = 'HNX' AND day BETWEEN DATE '2005-07-14' AND DATE '2013-07-28' THEN 100
    WHEN board = 'HNX' AND day >= DATE '2013-07-29' THEN 100
    WHEN board = 'HOSE' AND day BETWEEN DATE '2000-07-28' AND DATE '2001-10-14' THEN 100
    WHEN board = 'HOSE' AND day BETWEEN DATE '2001-10-15' AND DATE '2007-07-29' THEN 10
    WHEN board = 'HOSE' AND day BETWEEN DATE '2007-07-30' AND DATE '2021-01-03' THEN 10
    WHEN board = 'HOSE' AND day >= DATE '2021-01-04' THEN 100
    WHEN board = 'UPCOM' AND day BETWEEN DATE '2009-06-24' AND DATE '2013-07-28' THEN 100
    WHEN board = 'UPCOM' AND day >= DATE '2013-07-29' THEN 100
  END
);
COMMENT ON MACRO mart.lot_size IS
  'Shares or contracts of one round lot of a board on a day; null where none is recorded.';
