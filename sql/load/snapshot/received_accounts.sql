-- Returns the accounts that the list names
-- reads: received_account
SELECT account_no FROM received_account ORDER BY account_no;
