-- grain: one row per account with a snapshot: its latest one
-- A catalog that an earlier version published has no column key_name: its rows are of the only key there was.
WITH snapshot AS (
  SELECT * FROM (SELECT NULL::VARCHAR AS key_name LIMIT 0)
  UNION ALL BY NAME
  SELECT * FROM account.snapshot
)
SELECT snapshot.account_no, account.account_type, snapshot.as_of, snapshot.state, snapshot.missing,
  snapshot.snapshot_id, coalesce(snapshot.key_name, 'default') AS key_name
FROM snapshot
LEFT JOIN account.account account USING (account_no)
QUALIFY row_number() OVER (PARTITION BY snapshot.account_no ORDER BY snapshot.snapshot_id DESC) = 1
ORDER BY snapshot.account_no
