-- What a snapshot brought of each account → ops.coverage
-- reads: account_state
-- writes: ops.coverage, ops.dirty_partition
DELETE FROM ops.coverage AS stored USING account_state
WHERE stored.dataset = 'snapshot' AND stored.key = account_state.account_no
  AND stored.window_from = account_state.as_of;

INSERT INTO ops.coverage BY NAME
SELECT
  'snapshot' AS dataset, account_no AS key, '' AS timeframe, as_of AS window_from, as_of AS window_to,
  CASE WHEN missing IS NULL THEN 'complete' ELSE 'incomplete' END AS state, missing AS reason, row_count,
  NULL::DATE AS expires_on, request_id
FROM account_state;

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'ops.coverage', month_of_day(as_of) FROM account_state;
