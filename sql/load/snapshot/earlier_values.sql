-- Returns for each group of a relation's rows of the 40 days before, and each field, whether any, and whether
-- every row of the group had a value. Partial snapshots do not count: they may have lost fields themselves
-- reads: $relation, account.snapshot
WITH whole_snapshot AS (
  SELECT account_no, snapshot_id FROM account.snapshot
  WHERE state = 'complete' AND as_of BETWEEN $day::DATE - 40 AND $day::DATE
), earlier AS (
  SELECT * FROM $relation SEMI JOIN whole_snapshot USING (account_no, snapshot_id)
), field AS (
  SELECT $group AS "group", [$fields] AS fields FROM earlier GROUP BY 1
)
SELECT "group", unnest(fields, recursive := true) FROM field;
