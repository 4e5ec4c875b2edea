-- grain: one row per API key and account that it has read: its latest snapshot
-- A catalog that an earlier version published has no column key_name: its rows are of the only key there was.
SELECT coalesce(key_name, 'default') AS key_name, account_no, snapshot_id, as_of, state, missing
FROM (
  SELECT * FROM (SELECT NULL::VARCHAR AS key_name LIMIT 0)
  UNION ALL BY NAME
  SELECT * FROM account.snapshot
) snapshot
WINDOW latest_first AS (
  PARTITION BY coalesce(snapshot.key_name, 'default'), account_no ORDER BY snapshot_id DESC
)
QUALIFY row_number() OVER latest_first = 1
