-- Written by make sql from data/reference (docs/rulebook.md).
-- Smallest price step at a price on a day: VND, or points for futures; null where no ladder is recorded.
CREATE OR REPLACE MACRO mart.tick_size(board, kind, price, day) AS (
  CASE
    WHEN board = 'HOSE' AND kind = 'stock' AND day >= DATE '2000-01-01'
      THEN CASE WHEN price >= 50000 THEN 100 WHEN price >= 10000 THEN 50 ELSE 10 END
    WHEN board = 'HOSE' AND kind = 'etf' AND day >= DATE '2000-01-01'
      THEN 10
    WHEN board = 'HOSE' AND kind = 'covered_warrant' AND day >= DATE '2000-01-01'
      THEN 10
    WHEN board = 'HNX' AND kind = 'stock' AND day >= DATE '2000-01-01'
      THEN 100
    WHEN board = 'HNX' AND kind = 'etf' AND day >= DATE '2000-01-01'
      THEN 1
    WHEN board = 'UPCOM' AND kind = 'stock' AND day >= DATE '2000-01-01'
      THEN 100
    WHEN board = 'DERIVATIVE' AND kind = 'future' AND day >= DATE '2000-01-01'
      THEN 0.1
  END
);
COMMENT ON MACRO mart.tick_size IS
  'Smallest price step at a price on a day: VND, points for futures; null where no ladder is recorded.';
