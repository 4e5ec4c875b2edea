-- Session answers → ops.coverage. A complete window stays complete if the service later returns nothing or
-- refuses, because it deletes old data and the warehouse does not. A file never replaces the state of a
-- window that the service answered; an answer of the service replaces the state `imported`.
-- reads: ops.coverage, session_answer, variable dataset
-- writes: next_coverage, ops.coverage, ops.dirty_partition

-- grain: one row per window whose state changes
CREATE OR REPLACE TEMP TABLE next_coverage AS
SELECT
  getvariable('dataset') AS dataset, answer.key, answer.timeframe,
  answer.day AS window_from, answer.day AS window_to,
  answer.state, answer.reason, answer.row_count,
  CASE WHEN answer.timeframe NOT IN ('', '1d')
    THEN CAST(answer.day + INTERVAL 1 YEAR + INTERVAL 1 DAY AS DATE) END AS expires_on,
  answer.request_id
FROM session_answer answer
LEFT JOIN ops.coverage stored
  ON stored.dataset = getvariable('dataset') AND stored.key = answer.key
  AND stored.timeframe = answer.timeframe AND stored.window_from = answer.day
WHERE stored.dataset IS NULL
  OR (stored.state, stored.reason, stored.row_count)
    IS DISTINCT FROM (answer.state, answer.reason, answer.row_count)
  AND NOT (stored.state = 'complete' AND answer.state IN ('empty', 'refused'))
  AND NOT (stored.state <> 'imported' AND answer.state = 'imported');

DELETE FROM ops.coverage AS stored USING next_coverage
WHERE stored.dataset = next_coverage.dataset AND stored.key = next_coverage.key
  AND stored.timeframe = next_coverage.timeframe AND stored.window_from = next_coverage.window_from;

INSERT INTO ops.coverage BY NAME SELECT * FROM next_coverage;

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'ops.coverage', month_of_day(window_from) FROM next_coverage;
