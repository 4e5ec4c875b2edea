-- Returns the latest snapshot of the same trading date; null where there is none
-- reads: account.snapshot, account_state
SELECT max(snapshot_id) AS id FROM account.snapshot
WHERE as_of = (SELECT any_value(as_of) FROM account_state);
