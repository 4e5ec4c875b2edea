-- Session answers → ops.coverage. Reads temp table session_answer and variable dataset. What is held complete
-- stays so when the service later has nothing to say or refuses: the API forgets, the warehouse does not. What the service
-- has answered stays so whatever a file brings; what a file brought gives way to any answer.
CREATE OR REPLACE TEMP TABLE next_coverage AS
SELECT
  getvariable('dataset') AS dataset, answer.key, answer.timeframe, answer.day AS window_from, answer.day AS window_to,
  answer.state, answer.reason, answer.row_count,
  CASE WHEN answer.timeframe NOT IN ('', '1d') THEN CAST(answer.day + INTERVAL 1 YEAR + INTERVAL 1 DAY AS DATE) END AS expires_on,
  answer.request_id
FROM session_answer answer
LEFT JOIN ops.coverage held
  ON held.dataset = getvariable('dataset') AND held.key = answer.key AND held.timeframe = answer.timeframe
  AND held.window_from = answer.day
WHERE held.dataset IS NULL
  OR (held.state, held.reason, held.row_count) IS DISTINCT FROM (answer.state, answer.reason, answer.row_count)
  AND NOT (held.state = 'complete' AND answer.state IN ('empty', 'refused'))
  AND NOT (held.state <> 'imported' AND answer.state = 'imported');

DELETE FROM ops.coverage AS held USING next_coverage
WHERE held.dataset = next_coverage.dataset AND held.key = next_coverage.key
  AND held.timeframe = next_coverage.timeframe AND held.window_from = next_coverage.window_from;
INSERT INTO ops.coverage BY NAME SELECT * FROM next_coverage;
