-- grain: one row per row of a rule of the user's own, of the sessions that are checked
-- What is not of these sessions, of a relation that is published, or a result that there is, does not count.
-- A key that is not JSON names nothing.
CREATE OR REPLACE TEMP TABLE own_rule_row AS
SELECT CAST(trading_date AS DATE) AS trading_date, subject, relation,
  CASE WHEN json_valid(key) THEN key END AS key,
  left(expected, 500) AS expected, left(actual, 500) AS actual, TRY_CAST(residual AS DOUBLE) AS residual,
  result
FROM read_parquet($file)
WHERE TRY_CAST(trading_date AS DATE) IN (SELECT unnest([$days]::DATE[]))
  AND relation IN ($relations)
  AND (subject = 'market') = $is_market
  AND result IN ('pass', 'soft', 'break', 'not_evaluable')
