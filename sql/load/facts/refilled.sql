-- Sessions whose answer was incomplete before this batch, and their rows that only got values back. A null
-- of an incomplete answer is none that the service is known to have: a field may have been lost before the
-- answer that failed. Evidence and restated summaries make windows incomplete whose answer was whole.
-- reads: $relation, changed_row, ops.coverage, received_row, session_answer, variable dataset
-- writes: refilled_row, refilled_session

-- grain: one row per window key, timeframe and session of the batch whose answer was incomplete until now
CREATE OR REPLACE TEMP TABLE refilled_session AS
SELECT DISTINCT answer.key, answer.timeframe, answer.day
FROM session_answer answer
JOIN ops.coverage former ON former.dataset = getvariable('dataset')
  AND former.timeframe = answer.timeframe AND former.window_from = answer.day
  AND (former.key = answer.key OR '*' IN (former.key, answer.key))
WHERE former.state = 'incomplete'
  AND former.reason_code IS DISTINCT FROM 'contradicted'
  AND former.reason_code IS DISTINCT FROM 'summary_restated';

-- grain: one row per changed key of which only nulls were replaced
CREATE OR REPLACE TEMP TABLE refilled_row AS
WITH compared_value AS (
  SELECT $match_key, unnest([$values]) AS value
  FROM changed_row
  JOIN received_row match USING ($key)
  JOIN $relation stored ON $same_key
  WHERE stored.trading_date BETWEEN $first_day AND $last_day
    AND EXISTS (SELECT 1 FROM refilled_session answer WHERE $in_scope)
)
SELECT $key FROM compared_value
GROUP BY ALL HAVING count(*) FILTER (value.differs AND value.old IS NOT NULL) = 0;
