-- grain: one row per account with a snapshot: its latest one
SELECT snapshot.account_no, account.account_type, snapshot.as_of, snapshot.state, snapshot.missing,
  snapshot.snapshot_id, snapshot.key_name
FROM ($latest_snapshot) snapshot
LEFT JOIN account.account account USING (account_no)
QUALIFY row_number() OVER (PARTITION BY snapshot.account_no ORDER BY snapshot.snapshot_id DESC) = 1
ORDER BY snapshot.account_no
