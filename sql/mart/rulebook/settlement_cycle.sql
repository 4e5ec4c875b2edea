-- Written by make sql from data/reference (docs/rulebook.md).
-- Sessions after that of a trade in shares on which it settles; null where none is recorded.
CREATE OR REPLACE MACRO mart.settlement_cycle(day) AS (
  CASE
    WHEN day BETWEEN DATE '2002-03-04' AND DATE '2008-12-31' THEN 3
    WHEN day BETWEEN DATE '2009-01-01' AND DATE '2015-12-31' THEN 3
    WHEN day >= DATE '2016-01-01' THEN 2
  END
);
COMMENT ON MACRO mart.settlement_cycle IS
  'Sessions after that of a trade in shares on which it settles; null where none is recorded.';
