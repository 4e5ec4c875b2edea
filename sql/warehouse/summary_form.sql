-- grain: one row: whether daily summaries are requested by symbol. True where the latest request for the
--   whole market was refused, or was answered with nothing, on a day for which single symbols have summaries
WITH whole_market AS (
  -- what other answers contradict counts as it was answered: a missing session does not change the form
  SELECT window_from AS day, reason_code, CASE
    WHEN reason_code IS DISTINCT FROM 'contradicted' THEN state
    WHEN row_count > 0 THEN 'complete'
    ELSE 'empty'
  END AS state
  FROM ops.coverage
  WHERE dataset = 'securitiesSummary' AND key = '*' AND state <> 'imported'
), answered_symbol AS (
  SELECT window_from AS day FROM ops.coverage
  WHERE dataset = 'securitiesSummary' AND key <> '*' AND state = 'complete'
)
SELECT (
    arg_max(coalesce(reason_code = 'refusal', false), day)
    OR NOT bool_or(state IN ('complete', 'incomplete'))
  )
  AND EXISTS (FROM answered_symbol SEMI JOIN whole_market USING (day)) AS by_symbol
FROM whole_market;
