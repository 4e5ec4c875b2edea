-- Written by make sql from data/reference (docs/rulebook.md).
-- Smallest price step at a price on a day: VND, or points for futures; null where no ladder is recorded.
-- kind: of a future, its underlying.
CREATE OR REPLACE MACRO mart.tick_size(board, kind, price, day) AS (
  CASE
    WHEN board = 'HOSE' AND kind = 'stock' AND day BETWEEN DATE '2000-07-28' AND DATE '2016-09-11'
      THEN CASE WHEN price >= 100000 THEN 1000 WHEN price >= 50000 THEN 500 ELSE 100 END
    WHEN board = 'HOSE' AND kind = 'stock' AND day >= DATE '2016-09-12'
      THEN CASE WHEN price >= 50000 THEN 100 WHEN price >= 10000 THEN 50 ELSE 10 END
    WHEN board = 'HOSE' AND kind = 'etf' AND day BETWEEN DATE '2014-10-06' AND DATE '2016-09-11'
      THEN 10
    WHEN board = 'HOSE' AND kind = 'etf' AND day >= DATE '2016-09-12'
      THEN 10
    WHEN board = 'HOSE' AND kind = 'covered_warrant' AND day >= DATE '2019-06-28'
      THEN 10
    WHEN board = 'HNX' AND kind = 'stock' AND day >= DATE '2005-07-14'
      THEN 100
    WHEN board = 'HNX' AND kind = 'etf' AND day >= DATE '2014-12-01'
      THEN 1
    WHEN board = 'UPCOM' AND kind = 'stock' AND day BETWEEN DATE '2009-06-24' AND DATE '2020-01-16'
      THEN 100
    WHEN board = 'UPCOM' AND kind = 'stock' AND day >= DATE '2020-01-17'
      THEN 100
    WHEN board = 'DERIVATIVE' AND kind = 'VN30' AND day >= DATE '2017-08-10'
      THEN 0.1
    WHEN board = 'DERIVATIVE' AND kind = 'VN100' AND day >= DATE '2025-10-10'
      THEN 0.1
    WHEN board = 'DERIVATIVE' AND kind = 'GB05' AND day >= DATE '2019-07-04'
      THEN 1
    WHEN board = 'DERIVATIVE' AND kind = 'GB10' AND day >= DATE '2021-06-28'
      THEN 1
  END
);
COMMENT ON MACRO mart.tick_size IS
  'Smallest price step at a price on a day: VND, points for futures; null where no ladder is recorded.';
