-- grain: one row per account with a snapshot of the trading date to check (variable audit_as_of), with the
--   complete
-- snapshot before it. Rules read the rows of complete ones only: a short snapshot is never taken for an empty
-- one.
CREATE OR REPLACE TEMP TABLE audit_account AS
WITH latest_snapshot AS (
  SELECT account_no, arg_max(snapshot_id, received_at) AS snapshot_id
  FROM account.snapshot WHERE as_of = getvariable('audit_as_of') AND account_no <> '*' GROUP BY account_no
), snapshot_before AS (
  SELECT account_no, arg_max(snapshot_id, (as_of, received_at)) AS before_id, max(as_of) AS before_of
  FROM account.snapshot WHERE as_of < getvariable('audit_as_of') AND state = 'complete' GROUP BY account_no
)
SELECT snapshot.account_no, snapshot.snapshot_id, snapshot.as_of, snapshot.state, snapshot.missing,
  snapshot.received_at, snapshot.key_name,
  snapshot_before.before_id, snapshot_before.before_of,
  CASE WHEN account.account_type = 'DERIVATIVE' OR snapshot.account_no LIKE '%8'
    AND account.account_type IS NULL
    THEN 'derivative' ELSE 'equity' END AS side
FROM account.snapshot snapshot
JOIN latest_snapshot USING (account_no, snapshot_id)
LEFT JOIN snapshot_before USING (account_no)
LEFT JOIN account.account account USING (account_no);
