-- Accounts of the list → account.account. One that a later list does not name stays: its snapshots are
-- history. Returns whether any is new or differs.
-- reads: account.account, account_state, received_account
-- writes: account.account, changed_account, ops.dirty_partition

-- grain: one row per account that is new or differs
CREATE OR REPLACE TEMP TABLE changed_account AS
SELECT account_no, key_name FROM (
  SELECT account_no, account_type, (SELECT any_value(key_name) FROM account_state) AS key_name
  FROM received_account
  EXCEPT SELECT account_no, account_type, key_name FROM account.account
);

DELETE FROM account.account WHERE account_no IN (SELECT account_no FROM changed_account);

INSERT INTO account.account BY NAME
SELECT account_no, account_type, key_name, request_id, received_at AS loaded_at
FROM received_account JOIN changed_account USING (account_no);

INSERT INTO ops.dirty_partition
SELECT 'account.account', 'all' WHERE EXISTS (SELECT 1 FROM changed_account);

SELECT EXISTS (FROM changed_account) AS changed;
