-- Accounts told → account.account. Reads temp table fresh_account. One that a later list does not name stays: its
-- snapshots are history.
CREATE OR REPLACE TEMP TABLE touched AS
SELECT account_no FROM (SELECT account_no, account_type FROM fresh_account
  EXCEPT SELECT account_no, account_type FROM account.account);
DELETE FROM account.account WHERE account_no IN (SELECT account_no FROM touched);
INSERT INTO account.account BY NAME
SELECT account_no, account_type, request_id, received_at AS loaded_at
FROM fresh_account WHERE account_no IN (SELECT account_no FROM touched);
INSERT INTO ops.dirty_partition SELECT 'account.account', 'all' WHERE EXISTS (FROM touched);
