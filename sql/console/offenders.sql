-- grain: one row per row for which a rule does not hold, the latest and largest first
-- Of one symbol (index, account, subject) where $name is not empty; 250 of them, from number $first on. total
-- counts all.
WITH named_offender AS (
  $named_offender
)
SELECT trading_date, subject, relation, key, state, expected, actual, residual, count(*) OVER () AS total
FROM named_offender
WHERE rule = CAST($rule AS INTEGER) AND ($name = '' OR name = $name)
ORDER BY trading_date DESC, abs(residual) DESC NULLS LAST, key
LIMIT 250 OFFSET CAST($first AS INTEGER)
