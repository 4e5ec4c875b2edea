-- Accounts of the snapshot → account.snapshot
-- reads: account_state
-- writes: account.snapshot, ops.dirty_partition
INSERT INTO account.snapshot BY NAME
SELECT account_no, snapshot_id, as_of, state, missing, received_at, key_name
FROM account_state WHERE account_no <> '*';

INSERT INTO ops.dirty_partition
SELECT DISTINCT 'account.snapshot', month_of_id(snapshot_id) FROM account_state WHERE account_no <> '*';
