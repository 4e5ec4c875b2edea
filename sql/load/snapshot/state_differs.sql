-- Returns whether the accounts' states differ from those of a stored snapshot of the key
-- reads: account.snapshot, account_state
WITH before AS (
  SELECT account_no, as_of, state, missing
  FROM account.snapshot SEMI JOIN account_state USING (key_name) WHERE snapshot_id = $snapshot
), received AS (
  SELECT account_no, as_of, state, missing FROM account_state WHERE account_no <> '*'
)
SELECT EXISTS (SELECT * FROM before EXCEPT SELECT * FROM received)
  OR EXISTS (SELECT * FROM received EXCEPT SELECT * FROM before) AS differs;
