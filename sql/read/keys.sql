-- grain: one row per API key that has read an account: its accounts, and its latest snapshot
-- A catalog that an earlier version published has no column key_name: its rows are of the only key there was.
WITH snapshot AS (
  SELECT * FROM (SELECT NULL::VARCHAR AS key_name LIMIT 0)
  UNION ALL BY NAME
  SELECT * FROM account.snapshot
), latest AS (
  SELECT coalesce(key_name, 'default') AS key_name, account_no, as_of, state
  FROM snapshot
  WINDOW latest_first AS (
    PARTITION BY coalesce(key_name, 'default'), account_no ORDER BY snapshot_id DESC
  )
  QUALIFY row_number() OVER latest_first = 1
)
SELECT key_name AS name, count(*) FILTER (as_of = newest) AS accounts,
  count(*) FILTER (as_of = newest AND state = 'complete') AS complete, any_value(newest) AS latest
FROM (SELECT *, max(as_of) OVER (PARTITION BY key_name) AS newest FROM latest)
GROUP BY key_name
ORDER BY key_name;
