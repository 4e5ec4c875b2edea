-- grain: one row per offender of a rule, the worst ones of each subject and trading date
INSERT INTO offender
WITH checked_row AS (
  $query
)
SELECT $rule, subject, trading_date, relation, key, result,
  CAST(expected AS VARCHAR), CAST(actual AS VARCHAR), TRY_CAST(residual AS DECIMAL(38,4))
FROM checked_row
WHERE result IN ('break', 'soft')
QUALIFY row_number() OVER (
  PARTITION BY subject, trading_date
  ORDER BY result, abs(TRY_CAST(residual AS DOUBLE)) DESC NULLS LAST, relation, key
) <= $most;
