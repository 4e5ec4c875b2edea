-- Written by make sql from data/reference (docs/rulebook.md).
-- How far a price may move from its reference on a usual day, percent; null where no band is recorded.
-- underlying: of a future, else null.
CREATE OR REPLACE MACRO mart.price_band(board, kind, underlying, day) AS (
  CASE
    WHEN board = 'DERIVATIVE' AND 'GB05' IN (kind, underlying) AND day >= DATE '2019-07-04' THEN 3
    WHEN board = 'DERIVATIVE' AND 'GB10' IN (kind, underlying) AND day >= DATE '2021-06-28' THEN 3
    WHEN board = 'DERIVATIVE' AND 'VN100' IN (kind, underlying) AND day >= DATE '2025-10-10' THEN 7
    WHEN board = 'DERIVATIVE' AND 'VN30' IN (kind, underlying) AND day >= DATE '2017-08-10' THEN 7
    WHEN board = 'HOSE' AND 'covered_warrant' IN (kind, underlying) AND day >= DATE '2019-06-28' THEN NULL
    WHEN board = 'HNX' AND day BETWEEN DATE '2005-07-14' AND DATE '2008-03-26' THEN 10
    WHEN board = 'HNX' AND day BETWEEN DATE '2008-03-27' AND DATE '2008-04-06' THEN 2
    WHEN board = 'HNX' AND day BETWEEN DATE '2008-04-07' AND DATE '2008-06-18' THEN 3
    WHEN board = 'HNX' AND day BETWEEN DATE '2008-06-19' AND DATE '2008-08-17' THEN 4
    WHEN board = 'HNX' AND day BETWEEN DATE '2008-08-18' AND DATE '2013-01-14' THEN 7
    WHEN board = 'HNX' AND day >= DATE '2013-01-15' THEN 10
    WHEN board = 'HOSE' AND day BETWEEN DATE '2000-07-28' AND DATE '2001-06-12' THEN 2
    WHEN board = 'HOSE' AND day BETWEEN DATE '2001-06-13' AND DATE '2001-10-09' THEN 7
    WHEN board = 'HOSE' AND day BETWEEN DATE '2001-10-10' AND DATE '2002-07-31' THEN 2
    WHEN board = 'HOSE' AND day BETWEEN DATE '2002-08-01' AND DATE '2002-12-22' THEN 3
    WHEN board = 'HOSE' AND day BETWEEN DATE '2002-12-23' AND DATE '2008-03-26' THEN 5
    WHEN board = 'HOSE' AND day BETWEEN DATE '2008-03-27' AND DATE '2008-04-06' THEN 1
    WHEN board = 'HOSE' AND day BETWEEN DATE '2008-04-07' AND DATE '2008-06-18' THEN 2
    WHEN board = 'HOSE' AND day BETWEEN DATE '2008-06-19' AND DATE '2008-08-17' THEN 3
    WHEN board = 'HOSE' AND day BETWEEN DATE '2008-08-18' AND DATE '2013-01-14' THEN 5
    WHEN board = 'HOSE' AND day >= DATE '2013-01-15' THEN 7
    WHEN board = 'UPCOM' AND day BETWEEN DATE '2009-06-24' AND DATE '2015-06-30' THEN 10
    WHEN board = 'UPCOM' AND day >= DATE '2015-07-01' THEN 15
  END
);
COMMENT ON MACRO mart.price_band IS
  'How far a price may move from its reference on a usual day, percent; null where no band is recorded.';
