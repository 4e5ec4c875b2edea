-- grain: one row per account that was read last with an API key, and that its latest list named. Bound: the
--   key's name, how the reason of an account begins that a list does not name
WITH latest AS (
  SELECT account_no, arg_max(missing, snapshot_id) AS missing, arg_max(key_name, snapshot_id) AS key_name
  FROM account.snapshot GROUP BY account_no
)
SELECT account.account_no AS account, account.account_type AS type
FROM account.account JOIN latest USING (account_no)
WHERE latest.key_name = ? AND NOT starts_with(coalesce(missing, ''), ?)
ORDER BY account.account_no
