-- Returns for each field of the orders of the 40 days before whether any order, and whether every order had a
-- value; of all accounts. Partial snapshots do not count: they may have lost fields themselves
-- reads: account.order_book, account.snapshot
WITH whole_snapshot AS (
  SELECT account_no, snapshot_id FROM account.snapshot
  WHERE state = 'complete' AND as_of BETWEEN $day::DATE - 40 AND $day::DATE
), earlier AS (
  SELECT * FROM account.order_book SEMI JOIN whole_snapshot USING (account_no, snapshot_id)
), field AS (
  SELECT unnest([$fields], recursive := true) FROM earlier
)
SELECT name, "any", "every" FROM field;
