-- Returns the key's latest snapshot of the same trading date; null where there is none
-- reads: account.snapshot, account_state
SELECT max(snapshot_id) AS id FROM account.snapshot SEMI JOIN account_state USING (as_of, key_name);
