-- How many covered warrants make one share, from the text of the security list: 2 for '2:1', 2.5 for '2.5 :
-- 1', 0.5 for '1:2'. A number alone is k of k:1. Null for anything else: commas may be thousands or decimals,
-- so they are not read.
CREATE OR REPLACE MACRO mart.exercise_ratio(cw_execution_ratio) AS (
  CASE WHEN regexp_full_match(cw_execution_ratio, '\s*\d+(\.\d+)?\s*(:\s*\d+(\.\d+)?\s*)?') THEN
    nullif(TRY_CAST(trim(split_part(cw_execution_ratio, ':', 1)) AS DOUBLE), 0)
    / nullif(coalesce(TRY_CAST(nullif(trim(split_part(cw_execution_ratio, ':', 2)), '') AS DOUBLE), 1), 0)
  END
);
COMMENT ON MACRO mart.exercise_ratio IS
  'Covered warrants for one share, a DOUBLE, from a text such as 2:1 or 2.5 : 1; null where it cannot be '
  'read.';
