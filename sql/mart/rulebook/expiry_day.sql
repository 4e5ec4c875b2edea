-- Written by make sql from data/reference (docs/rulebook.md).
-- Last trading date of a contract by the rule of its underlying, if the exchange trades on it.
CREATE OR REPLACE MACRO mart.expiry_day(underlying, expiry_month) AS (
  CASE underlying
    WHEN 'GB05' THEN expiry_month + 14
    WHEN 'GB10' THEN expiry_month + 24
    ELSE expiry_month + CAST((11 - dayofweek(expiry_month)) % 7 + 14 AS INTEGER)
  END
);
COMMENT ON MACRO mart.expiry_day IS
  'Last trading date by rule: the third Thursday of the month, of bonds a day of the month.';
