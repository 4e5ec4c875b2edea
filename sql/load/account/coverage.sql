-- What a snapshot brought of each account → ops.coverage. Reads temp table account_state.
DELETE FROM ops.coverage AS held USING account_state
WHERE held.dataset = 'snapshot' AND held.key = account_state.account_no AND held.window_from = account_state.as_of;
INSERT INTO ops.coverage BY NAME
SELECT
  'snapshot' AS dataset, account_no AS key, '' AS timeframe, as_of AS window_from, as_of AS window_to,
  CASE WHEN missing IS NULL THEN 'complete' ELSE 'incomplete' END AS state, missing AS reason, row_count,
  NULL::DATE AS expires_on, request_id
FROM account_state;
