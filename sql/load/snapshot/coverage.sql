-- What a snapshot brought of each account → ops.coverage. The page that brought a state stays named while
-- the state stays: a session that is as it was is not published again. The list of accounts of a key with a
-- name of its own has that name.
-- reads: account_state, ops.coverage
-- writes: answered_account_list, next_account_coverage, ops.coverage, ops.dirty_partition

-- grain: one row per account whose state changes
CREATE OR REPLACE TEMP TABLE next_account_coverage AS
WITH answered_account AS (
  SELECT
    'snapshot' AS dataset,
    CASE WHEN account_no = '*' AND key_name <> 'default' THEN '* ' || key_name ELSE account_no END AS key,
    '' AS timeframe, as_of AS window_from, as_of AS window_to,
    CASE WHEN missing IS NULL THEN 'complete' ELSE 'incomplete' END AS state, missing AS reason, row_count,
    NULL::DATE AS expires_on, request_id
  FROM account_state
)
SELECT answered.*
FROM answered_account answered
LEFT JOIN ops.coverage stored USING (dataset, key, timeframe, window_from)
WHERE (stored.state, stored.reason, stored.row_count)
  IS DISTINCT FROM (answered.state, answered.reason, answered.row_count);

-- grain: one row per day whose list of accounts is complete now
CREATE OR REPLACE TEMP TABLE answered_account_list AS
SELECT DISTINCT as_of AS day, CASE WHEN key_name <> 'default' THEN '* ' || key_name ELSE '*' END AS key
FROM account_state
WHERE as_of NOT IN (SELECT as_of FROM account_state WHERE account_no = '*');

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'ops.coverage', month_of_day(window_from)
FROM ops.coverage JOIN answered_account_list USING (key)
WHERE dataset = 'snapshot' AND window_from = day;

DELETE FROM ops.coverage AS stored USING answered_account_list AS list
WHERE stored.dataset = 'snapshot' AND stored.key = list.key AND stored.window_from = list.day;

DELETE FROM ops.coverage AS stored USING next_account_coverage
WHERE stored.dataset = next_account_coverage.dataset AND stored.key = next_account_coverage.key
  AND stored.window_from = next_account_coverage.window_from;

INSERT INTO ops.coverage BY NAME SELECT * FROM next_account_coverage;

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'ops.coverage', month_of_day(window_from) FROM next_account_coverage;
