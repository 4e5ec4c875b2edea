-- Accounts of the snapshot → account.snapshot. An account that the list of an earlier key of the run lacks,
-- and that this key has read, has its row from this key alone
-- reads: account_state
-- writes: account.snapshot, ops.dirty_partition
DELETE FROM account.snapshot
WHERE (account_no, snapshot_id) IN (SELECT (account_no, snapshot_id) FROM account_state);

INSERT INTO account.snapshot BY NAME
SELECT account_no, snapshot_id, as_of, state, missing, received_at, key_name
FROM account_state WHERE account_no <> '*';

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'account.snapshot', month_of_id(snapshot_id) FROM account_state WHERE account_no <> '*';
