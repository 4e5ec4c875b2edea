-- Returns the accounts of the snapshot, and whether the list names them
-- reads: snapshot_account
SELECT account_no, is_listed FROM snapshot_account ORDER BY account_no;
