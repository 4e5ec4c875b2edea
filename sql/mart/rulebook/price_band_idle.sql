-- Written by make sql from data/reference (docs/rulebook.md).
-- How far a price may move after long idleness, percent; null where none is recorded.
CREATE OR REPLACE MACRO mart.price_band_idle(board, day) AS (
  CASE
    WHEN board = 'HNX' AND day BETWEEN DATE '2013-07-29' AND DATE '2024-03-31' THEN 30
    WHEN board = 'HNX' AND day >= DATE '2024-04-01' THEN 30
    WHEN board = 'HOSE' AND day >= DATE '2016-09-12' THEN 20
    WHEN board = 'UPCOM' AND day BETWEEN DATE '2015-07-01' AND DATE '2020-01-16' THEN 40
    WHEN board = 'UPCOM' AND day >= DATE '2020-01-17' THEN 40
  END
);
COMMENT ON MACRO mart.price_band_idle IS
  'How far a price may move after long idleness, percent; null where none is recorded.';
