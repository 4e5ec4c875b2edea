-- Stored rows that an answer for their session does not have → ops.omission. They stay: sql/evidence decides
-- about them at the end of the run, when the answers of all datasets are loaded. Imported rows are no
-- answers.
-- reads: $relation, imported_page, ops.omission, received_row, session_answer, variable as_of
-- reads: variable dataset
-- writes: next_omission, omitted_row, ops.omission

-- grain: one row per symbol, timeframe and session whose stored rows the answer does not have
CREATE OR REPLACE TEMP TABLE omitted_row AS
SELECT stored.symbol, $timeframe AS timeframe, stored.trading_date,
  max(answer.received_at) AS received_at, arg_max(answer.request_id, answer.received_at) AS request_id
FROM $relation stored
JOIN session_answer answer ON $in_scope
ANTI JOIN received_row match ON $same_key
WHERE stored.trading_date BETWEEN $first_day AND $last_day
  AND (answer.state = 'complete' AND answer.key = '*' OR answer.state = 'empty')
  AND stored.request_id NOT IN (SELECT request_id FROM imported_page)
GROUP BY ALL;

-- grain: one row per omission after this batch
CREATE OR REPLACE TEMP TABLE next_omission AS
SELECT getvariable('dataset') AS dataset, symbol, timeframe, trading_date,
  coalesce(former.first_as_of, getvariable('as_of')) AS first_as_of,
  greatest(former.last_as_of, getvariable('as_of')) AS last_as_of,
  omitted_row.request_id, omitted_row.received_at
FROM omitted_row
LEFT JOIN (FROM ops.omission WHERE dataset = getvariable('dataset')) former
  USING (symbol, timeframe, trading_date);

-- what was answered is no longer omitted
DELETE FROM ops.omission AS former USING session_answer answer
WHERE former.dataset = getvariable('dataset') AND former.trading_date = answer.day
  AND former.timeframe = answer.timeframe AND answer.key IN ('*', former.symbol)
  AND answer.state IN ('complete', 'empty');
DELETE FROM ops.omission AS former USING received_row
WHERE former.dataset = getvariable('dataset') AND former.trading_date = received_row.trading_date
  AND former.symbol = received_row.symbol AND former.timeframe = $received_timeframe;

INSERT INTO ops.omission BY NAME FROM next_omission;
