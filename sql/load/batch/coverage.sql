-- Session answers → ops.coverage. A complete window stays complete if the service later returns nothing,
-- because it deletes old data and the warehouse does not; and an incomplete one that has rows stays
-- incomplete, because nothing completes them. A file never replaces the state of a window that
-- the service answered; an answer of the service replaces the state `imported`. A window that other answers
-- contradict counts as its own answer had it, so that the result does not depend on when the evidence was
-- weighed (sql/evidence). A complete answer for the market takes the place of what one of its symbols alone
-- had not: that window is requested for a withheld row, for an account, or to learn whether the service
-- refuses the market as a whole, and no later night would request it again.
-- reads: ops.coverage, session_answer, variable dataset
-- writes: next_coverage, replaced_window, ops.coverage, ops.dirty_partition

-- grain: one row per window whose state changes
CREATE OR REPLACE TEMP TABLE next_coverage AS
WITH compared_answer AS (
  SELECT answer.*, stored.dataset IS NOT NULL AS is_stored, stored.state AS stored_state,
    stored.own_state, stored.reason AS stored_reason, stored.row_count AS stored_rows,
    stored.reason_code AS stored_code, stored.failed_runs AS stored_failures,
    -- a page is named for its run: RUN-NUMBER
    regexp_replace(stored.request_id, '-[0-9]+$', '') IS DISTINCT FROM
      regexp_replace(answer.request_id, '-[0-9]+$', '') AS is_other_run,
    -- sql/load/batch/limits.sql decides afterwards which refusals are limits
    CASE WHEN answer.state <> 'refused' THEN answer.state
      WHEN stored.reason_code = 'refusal' THEN stored.state ELSE 'incomplete' END AS next_state
  FROM session_answer answer
  LEFT JOIN (
    SELECT *, CASE
      WHEN reason_code IS DISTINCT FROM 'contradicted' THEN state
      WHEN row_count > 0 THEN 'complete'
      ELSE 'empty'
    END AS own_state
    FROM ops.coverage
  ) stored
    ON stored.dataset = getvariable('dataset') AND stored.key = answer.key
    AND stored.timeframe = answer.timeframe AND stored.window_from = answer.day
)
SELECT
  getvariable('dataset') AS dataset, key, timeframe, day AS window_from, day AS window_to,
  next_state AS state, reason, row_count,
  CASE WHEN timeframe NOT IN ('', '1d') THEN CAST(day + INTERVAL 1 YEAR + INTERVAL 1 DAY AS DATE) END
    AS expires_on,
  request_id, reason_code,
  CASE WHEN reason_code IN ('failed', 'refusal')
    THEN coalesce(stored_failures, 0) + CAST(is_other_run OR stored_failures IS NULL AS INTEGER) END
    AS failed_runs
FROM compared_answer
WHERE NOT is_stored
  OR ((stored_state, stored_reason, stored_code, stored_rows)
      IS DISTINCT FROM (next_state, reason, reason_code, row_count)
    OR reason_code IN ('failed', 'refusal') AND is_other_run)
  AND NOT (next_state = 'empty' AND (own_state = 'complete' OR own_state = 'incomplete' AND stored_rows > 0))
  AND NOT (own_state <> 'imported' AND next_state = 'imported');

DELETE FROM ops.coverage AS stored USING next_coverage
WHERE stored.dataset = next_coverage.dataset AND stored.key = next_coverage.key
  AND stored.timeframe = next_coverage.timeframe AND stored.window_from = next_coverage.window_from;

INSERT INTO ops.coverage BY NAME SELECT * FROM next_coverage;

-- grain: one row per window of one symbol, incomplete or empty, of which the market's answer is complete:
--   with that symbol, or without it
CREATE OR REPLACE TEMP TABLE replaced_window AS
SELECT key, timeframe, window_from
FROM ops.coverage
WHERE dataset = getvariable('dataset') AND key <> '*' AND state IN ('incomplete', 'empty')
  AND window_from IN (SELECT day FROM session_answer WHERE key = '*' AND state = 'complete');

DELETE FROM ops.coverage AS stored USING replaced_window AS replaced
WHERE stored.dataset = getvariable('dataset') AND stored.key = replaced.key
  AND stored.timeframe = replaced.timeframe AND stored.window_from = replaced.window_from;

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'ops.coverage', month_of_day(window_from)
FROM (SELECT window_from FROM next_coverage UNION ALL SELECT window_from FROM replaced_window);
