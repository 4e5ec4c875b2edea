-- Written by make sql from data/reference (docs/rulebook.md).
-- Income tax of persons on the value of a sale of shares, percent; null where none is recorded.
CREATE OR REPLACE MACRO mart.sell_tax(day) AS (
  CASE
    WHEN day BETWEEN DATE '2000-07-28' AND DATE '2009-12-31' THEN 0
    WHEN day BETWEEN DATE '2010-01-01' AND DATE '2011-07-31' THEN 0.1
    WHEN day BETWEEN DATE '2011-08-01' AND DATE '2012-12-31' THEN 0.05
    WHEN day BETWEEN DATE '2013-01-01' AND DATE '2014-12-31' THEN 0.1
    WHEN day >= DATE '2015-01-01' THEN 0.1
  END
);
COMMENT ON MACRO mart.sell_tax IS
  'Income tax of persons on the value of a sale of shares, percent; null where none is recorded.';
