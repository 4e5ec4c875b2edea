-- Accounts of the list that another key of the run has read already leave it. Bound: the accounts as a JSON
-- array
-- writes: received_account
DELETE FROM received_account WHERE list_contains(from_json(?, '["VARCHAR"]'), account_no);
