-- Returns for each group and kind of a relation's rows of the 40 days before, and each field, whether any,
-- and whether every such row had a value. Partial snapshots do not count: they may have lost fields
-- themselves
-- reads: $relation, account.snapshot
WITH whole_snapshot AS (
  SELECT account_no, snapshot_id FROM account.snapshot
  WHERE state = 'complete' AND as_of BETWEEN $day::DATE - 40 AND $day::DATE
), earlier AS (
  SELECT * FROM $relation SEMI JOIN whole_snapshot USING (account_no, snapshot_id)
), field AS (
  SELECT $group AS "group", $kind AS kind, [$fields] AS fields FROM earlier GROUP BY ALL
)
SELECT "group", kind, unnest(fields, recursive := true) FROM field;
