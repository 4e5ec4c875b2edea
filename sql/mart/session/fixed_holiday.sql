-- grain: one row per public holiday of the same date in every year, and its validity
-- The rule fixed_holidays of the rulebook lists them as 01-01;04-30;…
CREATE OR REPLACE MACRO mart.fixed_holiday() AS TABLE
SELECT unnest(string_split(value, ';')) AS month_day, valid_from, valid_to, source
FROM mart.market_rule
WHERE rule = 'fixed_holidays';
COMMENT ON MACRO TABLE mart.fixed_holiday IS
  'Public holidays of the same date in every year: month and day (01-01), valid_from and valid_to, source.';
