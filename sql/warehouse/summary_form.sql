-- grain: one row: whether daily summaries are asked for by symbol. True where the latest question for the
--   whole market was refused, or was answered with nothing on days for which single symbols have summaries
WITH whole_market AS (
  SELECT window_from AS day, state FROM ops.coverage
  WHERE dataset = 'securitiesSummary' AND key = '*' AND state <> 'imported'
), answered_symbol AS (
  SELECT window_from AS day FROM ops.coverage
  WHERE dataset = 'securitiesSummary' AND key <> '*' AND state = 'complete'
)
SELECT arg_max(state, day) = 'refused'
  OR (
    NOT bool_or(state IN ('complete', 'incomplete'))
    AND EXISTS (SELECT 1 FROM answered_symbol SEMI JOIN whole_market USING (day))
  ) AS by_symbol
FROM whole_market;
