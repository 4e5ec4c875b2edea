-- Windows that other answers contradict → incomplete in ops.coverage; those that nothing contradicts any
-- more → the state of their own answer. Depends on the rows and the answers that are stored alone, not on
-- earlier marks. Returns how many windows changed.
-- reads: contradicted_window, ops.coverage, own_window
-- writes: next_mark, ops.coverage, ops.dirty_partition

-- grain: one row per window whose state changes; state null: nobody asked for it, and nothing wants it now
CREATE OR REPLACE TEMP TABLE next_mark AS
SELECT dataset, key, timeframe, day,
  CASE WHEN mark.reason IS NOT NULL THEN 'incomplete' WHEN own.state <> 'unasked' THEN own.state END AS state,
  mark.reason,
  CASE WHEN mark.reason IS NOT NULL THEN 'contradicted' END AS reason_code,
  own.dataset IS NULL AS is_new
FROM (FROM own_window WHERE state IN ('complete', 'empty', 'unasked')) own
FULL JOIN contradicted_window mark USING (dataset, key, timeframe, day)
WHERE (own.marked_state, own.marked_reason, own.marked_code)
  IS DISTINCT FROM (
    CASE WHEN mark.reason IS NOT NULL THEN 'incomplete' ELSE own.state END,
    mark.reason,
    CASE WHEN mark.reason IS NOT NULL THEN 'contradicted' END);

DELETE FROM ops.coverage AS coverage USING next_mark
WHERE coverage.dataset = next_mark.dataset AND coverage.key = next_mark.key
  AND coverage.timeframe = next_mark.timeframe AND coverage.window_from = next_mark.day
  AND next_mark.state IS NULL;

UPDATE ops.coverage AS coverage
SET state = next_mark.state, reason = next_mark.reason, reason_code = next_mark.reason_code
FROM next_mark
WHERE coverage.dataset = next_mark.dataset AND coverage.key = next_mark.key
  AND coverage.timeframe = next_mark.timeframe AND coverage.window_from = next_mark.day;

INSERT INTO ops.coverage BY NAME
SELECT dataset, key, timeframe, day AS window_from, day AS window_to, state, reason, reason_code,
  0 AS row_count, CAST(day + INTERVAL 1 YEAR + INTERVAL 1 DAY AS DATE) AS expires_on
FROM next_mark WHERE is_new;

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'ops.coverage', month_of_day(day) FROM next_mark;

SELECT count(*) AS rows FROM next_mark;
