-- grain: one row per conditional order that had ended in the latest complete snapshot of its account:
--   terminated, finished, expired, error (docs/market-facts.md#conditional-order-statuses)
WITH latest AS (
  SELECT account_no, max(snapshot_id) AS snapshot_id
  FROM account.snapshot WHERE state = 'complete' GROUP BY account_no
)
SELECT fco_id
FROM account.conditional_order SEMI JOIN latest USING (account_no, snapshot_id)
WHERE status IN ('TER', 'FIS', 'EXP', 'ERR');
